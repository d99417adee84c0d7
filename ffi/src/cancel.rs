//! Cancel tokens.

use speech_core::{CancelToken, Result};

use crate::error::speech_error;
use crate::getters::{new, value, with};
use crate::handle::{self, handle_type, lookup_optional};
use crate::pointers::Output;
use crate::status::Status;

/// Stops one or more syntheses. One token may be used for any number of calls; once cancelled it
/// stays cancelled.
pub struct speech_cancel_token(());
handle_type!(speech_cancel_token, CancelToken, "cancel token");

/// The token behind a handle; for NULL, one that is never cancelled.
pub(crate) fn token_or_none(token: *const speech_cancel_token) -> Result<CancelToken> {
    let token = lookup_optional(token)?;
    Ok(token.map_or_else(CancelToken::new, |token| (*token).clone()))
}

/// Makes a new token. Free it with speech_cancel_token_free().
#[unsafe(no_mangle)]
pub extern "C" fn speech_cancel_token_new() -> *mut speech_cancel_token {
    new(CancelToken::new)
}

/// Stops every synthesis that uses this token, now or later, even inside a running inference.
/// Returns at once; the stopped calls return SPEECH_CANCELLED shortly after. Further calls do
/// nothing.
///
/// Thread-safe. Not async-signal-safe.
#[unsafe(no_mangle)]
pub extern "C" fn speech_cancel_token_cancel(
    token: *const speech_cancel_token,
    error: Output<'_, *mut speech_error>,
) -> Status {
    with(token, error, |token| {
        token.cancel();
        Ok(())
    })
}

/// Whether the token has been cancelled.
#[unsafe(no_mangle)]
pub extern "C" fn speech_cancel_token_is_cancelled(token: *const speech_cancel_token) -> bool {
    value(token, false, CancelToken::is_cancelled)
}

/// Frees a token. Calls that use it continue, and can no longer be stopped by it.
#[unsafe(no_mangle)]
pub extern "C" fn speech_cancel_token_free(token: *mut speech_cancel_token) {
    handle::free(token);
}
