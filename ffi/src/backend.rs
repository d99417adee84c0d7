//! The names of kernels and precisions as C strings.

use std::ffi::{CStr, CString};

use speech_core::{Backend, KernelSet, LazyLock, Precision};

use crate::getters::c_string;

/// The name of a set of kernels.
pub(crate) fn kernels(backend: Backend) -> &'static CStr {
    static NAMES: LazyLock<[CString; KernelSet::ALL.len()]> =
        LazyLock::new(|| KernelSet::ALL.map(|kernels| c_string(kernels.as_str())));
    find(&KernelSet::ALL, &*NAMES, backend.kernels)
}

/// The name of a precision.
pub(crate) fn precision(backend: Backend) -> &'static CStr {
    static NAMES: LazyLock<[CString; Precision::ALL.len()]> =
        LazyLock::new(|| Precision::ALL.map(|precision| c_string(precision.as_str())));
    find(&Precision::ALL, &*NAMES, backend.precision)
}

/// The name of a value. `ALL` is exhaustive; the fallback is unreachable.
fn find<T: PartialEq>(all: &[T], names: &'static [CString], value: T) -> &'static CStr {
    let named = all.iter().zip(names).find(|(known, _)| **known == value);
    named.map_or(c"", |(_, name)| name)
}
