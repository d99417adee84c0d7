//! The cancellation of one request.

use napi_derive::napi;
use speech_core::CancelToken;

/// Stops the request that was started with it.
#[napi]
pub struct Cancel(CancelToken);

#[napi]
impl Cancel {
    /// Stops the request soon; does not wait for that.
    #[napi]
    pub fn cancel(&self) {
        self.0.cancel();
    }
}

impl Cancel {
    pub(crate) fn new(token: CancelToken) -> Self {
        Self(token)
    }

    /// The core's token.
    pub(crate) fn token(&self) -> CancelToken {
        self.0.clone()
    }
}
