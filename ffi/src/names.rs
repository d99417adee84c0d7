//! Names of what speech is computed with, as C reads them.

use std::ffi::{CString, c_char};
use std::sync::LazyLock;

use speech_core::{Backend, Error, ErrorKind, KernelSet, Precision, Result};

use crate::getters::c_string;

type Names<T> = LazyLock<Vec<(T, CString)>>;

static KERNELS: Names<KernelSet> =
    LazyLock::new(|| KernelSet::ALL.map(|set| (set, c_string(set.as_str()))).into());

static PRECISIONS: Names<Precision> = LazyLock::new(|| {
    Precision::ALL.map(|precision| (precision, c_string(precision.as_str()))).into()
});

/// The name of the set of kernels.
pub(crate) fn kernels(backend: Backend) -> Result<*const c_char> {
    find(&KERNELS, backend.kernels)
}

/// The name of the precision.
pub(crate) fn precision(backend: Backend) -> Result<*const c_char> {
    find(&PRECISIONS, backend.precision)
}

fn find<T: PartialEq>(names: &'static Names<T>, value: T) -> Result<*const c_char> {
    let found = names.iter().find(|(known, _)| *known == value);
    let unknown = || Error::new(ErrorKind::Internal, "a metric has no name");
    found.map(|(_, name)| name.as_ptr()).ok_or_else(unknown)
}
