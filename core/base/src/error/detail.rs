//! The exact cause of an error, and advice for the user.

use crate::string_conversions;

/// The exact cause of an error, where a program may want to tell apart errors of one
/// [`ErrorKind`](super::ErrorKind).
///
/// Most errors have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorDetail {
    /// No voice bundle was given, and none was found in the default locations.
    BundleNotFound,
    /// A file of the voice bundle is missing. If it is the manifest, the whole bundle is.
    FileMissing,
    /// A file of the voice bundle is truncated, altered or of the wrong kind.
    FileDamaged,
    /// The operating system refuses to read a file of the voice bundle.
    FileUnreadable,
    /// The voice bundle is of an older format than this library reads.
    BundleTooOld,
    /// The voice bundle is of a newer format than this library reads.
    BundleTooNew,
    /// The voice bundle is for another acoustic model.
    IncompatibleModel,
    /// The processor does not support the requested kernels or precision.
    UnsupportedBackend,
    /// Low latency was requested for speech that is not streamed.
    LatencyNeedsStream,
    /// The voice bundle lacks the requested quality for this voice and language.
    QualityNotInBundle,
}

/// One row of the table: name, advice.
const fn row(detail: ErrorDetail) -> (&'static str, Option<Advice>) {
    match detail {
        ErrorDetail::BundleNotFound => ("bundle_not_found", Some(Advice::InstallVoices)),
        ErrorDetail::FileMissing => ("file_missing", Some(Advice::CheckBundlePath)),
        ErrorDetail::FileDamaged => ("file_damaged", Some(Advice::ReinstallVoices)),
        ErrorDetail::FileUnreadable => ("file_unreadable", Some(Advice::CheckBundlePath)),
        ErrorDetail::BundleTooOld => ("bundle_too_old", Some(Advice::UpdateVoices)),
        ErrorDetail::BundleTooNew => ("bundle_too_new", Some(Advice::UpdateLibrary)),
        ErrorDetail::IncompatibleModel => ("incompatible_model", Some(Advice::ReinstallVoices)),
        ErrorDetail::UnsupportedBackend => ("unsupported_backend", None),
        ErrorDetail::LatencyNeedsStream => ("latency_needs_stream", Some(Advice::UseStream)),
        ErrorDetail::QualityNotInBundle => ("quality_not_in_bundle", None),
    }
}

impl ErrorDetail {
    /// Every detail, in the order of the table.
    pub const ALL: [Self; 10] = [
        Self::BundleNotFound,
        Self::FileMissing,
        Self::FileDamaged,
        Self::FileUnreadable,
        Self::BundleTooOld,
        Self::BundleTooNew,
        Self::IncompatibleModel,
        Self::UnsupportedBackend,
        Self::LatencyNeedsStream,
        Self::QualityNotInBundle,
    ];

    /// The machine-readable name, such as `bundle_not_found`.
    pub const fn as_str(self) -> &'static str {
        row(self).0
    }

    /// What the user can do about it.
    pub const fn advice(self) -> Option<Advice> {
        row(self).1
    }
}

string_conversions!(ErrorDetail, "error detail");

/// What the user of an application can do about an error. The application words it itself: it knows
/// how its users install voices, and the names of its own functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Advice {
    /// Install a voice bundle, or give the path of one.
    InstallVoices,
    /// Check the path of the voice bundle and the permissions of its files.
    CheckBundlePath,
    /// Install the voice bundle again.
    ReinstallVoices,
    /// Install the voice bundle of this version of the library.
    UpdateVoices,
    /// Install a newer version of the library.
    UpdateLibrary,
    /// Cut the text with `split_text`.
    SplitText,
    /// Stream the speech.
    UseStream,
}

impl Advice {
    /// Every value.
    pub const ALL: [Self; 7] = [
        Self::InstallVoices,
        Self::CheckBundlePath,
        Self::ReinstallVoices,
        Self::UpdateVoices,
        Self::UpdateLibrary,
        Self::SplitText,
        Self::UseStream,
    ];

    /// The key under which applications look up their own wording, such as `install_voices`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InstallVoices => "install_voices",
            Self::CheckBundlePath => "check_bundle_path",
            Self::ReinstallVoices => "reinstall_voices",
            Self::UpdateVoices => "update_voices",
            Self::UpdateLibrary => "update_library",
            Self::SplitText => "split_text",
            Self::UseStream => "use_stream",
        }
    }
}

string_conversions!(Advice, "advice");
