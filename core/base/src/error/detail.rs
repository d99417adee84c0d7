//! What exactly went wrong, and what the user may do about it.

use crate::string_conversions;

/// What exactly went wrong, where a program may want to tell it apart within an [`ErrorKind`](super::ErrorKind).
///
/// Most errors have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorDetail {
    /// No voice bundle was given, and none is where the library looks for one.
    BundleNotFound,
    /// A file of the voice bundle is missing; the bundle itself, if it is the manifest.
    FileMissing,
    /// A file of the voice bundle is truncated or altered, or not what it should be.
    FileDamaged,
    /// The system refuses to read a file of the voice bundle.
    FileUnreadable,
    /// The voice bundle is of an older format than this library reads.
    BundleTooOld,
    /// The voice bundle is of a newer format than this library reads.
    BundleTooNew,
    /// The voice bundle is for another acoustic model.
    IncompatibleModel,
    /// The processor cannot compute with the kernels or the precision that were asked for.
    UnsupportedBackend,
    /// Low latency was asked for speech that is given as a whole.
    LatencyNeedsStream,
    /// The voice bundle does not have the quality that was asked for, of this voice in this language.
    QualityNotInBundle,
}

/// One row of the table: detail, name, advice.
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

    /// What the user may do about it.
    pub const fn advice(self) -> Option<Advice> {
        row(self).1
    }
}

string_conversions!(ErrorDetail, "error detail");

/// What the user of an application may do about an error. The application says it in its own words: it knows how its users
/// install voices, and what its functions are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Advice {
    /// Install a voice bundle, or say where one is.
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
    /// Every advice.
    pub const ALL: [Self; 7] = [
        Self::InstallVoices,
        Self::CheckBundlePath,
        Self::ReinstallVoices,
        Self::UpdateVoices,
        Self::UpdateLibrary,
        Self::SplitText,
        Self::UseStream,
    ];

    /// The key that applications look their own words up by, such as `install_voices`.
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
