//! A Python class whose objects can be looked into as a buffer of samples, in every Python that the module runs in.
//!
//! The limited API has the buffer protocol from 3.11 on only, and so has PyO3, while the interpreters understood these
//! slots of a class in 3.9 already. The class is made with the C API itself therefore. It adds no function of the
//! interpreter that the limited API of 3.9 lacks, and holds a `bytes` object whose memory it lends.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyType};

/// The number of the slot, which is a part of the stable ABI since 3.11 and the same before.
const BF_GETBUFFER: c_int = 1;

/// `PyBUF_WRITABLE`, `PyBUF_FORMAT`, `PyBUF_ND` and `PyBUF_STRIDES`, which the stable ABI fixes too.
const WRITABLE: c_int = 0x1;
const FORMAT: c_int = 0x4;
const ND: c_int = 0x8;
const STRIDES: c_int = 0x10 | ND;

const ITEM_SIZE: isize = size_of::<i16>() as isize;

/// 16 bits, as the `struct` module names them.
const ITEM: &CStr = c"h";

const _: () =
    assert!(cfg!(target_endian = "little"), "the samples are kept as little-endian bytes");

/// `Py_buffer`.
#[repr(C)]
struct View {
    buf: *mut c_void,
    obj: *mut PyObject,
    len: isize,
    itemsize: isize,
    readonly: c_int,
    ndim: c_int,
    format: *mut c_char,
    shape: *mut isize,
    strides: *mut isize,
    suboffsets: *mut isize,
    internal: *mut c_void,
}

/// An object of the class.
#[repr(C)]
struct Samples {
    head: PyObject,
    /// The samples, as `bytes`: an owned reference.
    pcm: *mut PyObject,
    first: *mut c_void,
    /// How many, and how far from one to the next: what a view points to.
    shape: [isize; 1],
    strides: [isize; 1],
}

/// The class `SampleBuffer`, to be inherited from. `SampleBuffer(pcm)` keeps `pcm`, which is `bytes`.
pub(crate) fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.get_or_try_init(py, || make(py)).map(|class| class.bind(py))
}

fn make(py: Python<'_>) -> PyResult<Py<PyType>> {
    let slot = |slot, pfunc| ffi::PyType_Slot { slot, pfunc };
    let doc = c"16-bit mono samples that other objects can look into.";
    let mut slots = [
        slot(ffi::Py_tp_doc, doc.as_ptr() as *mut c_void),
        slot(ffi::Py_tp_new, new as ffi::newfunc as *mut c_void),
        slot(ffi::Py_tp_dealloc, dealloc as ffi::destructor as *mut c_void),
        slot(BF_GETBUFFER, get_buffer as GetBuffer as *mut c_void),
        slot(0, ptr::null_mut()),
    ];
    let mut spec = ffi::PyType_Spec {
        name: c"libspeech._libspeech.SampleBuffer".as_ptr(),
        basicsize: size_of::<Samples>() as c_int,
        itemsize: 0,
        flags: (ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE) as _,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the name and the documentation are static, the slots end with a zero, and each function has the type that
    // its slot asks for. The result is a new reference to a type, or NULL with an exception.
    unsafe {
        let class = Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpec(&raw mut spec))?;
        Ok(class.cast_into_unchecked::<PyType>().unbind())
    }
}

type GetBuffer = unsafe extern "C" fn(*mut PyObject, *mut View, c_int) -> c_int;

/// `SampleBuffer.__new__(class, pcm)`.
///
/// # Safety
///
/// The interpreter calls it, attached, with a class, a tuple, and a dictionary or NULL.
unsafe extern "C" fn new(
    class: *mut PyTypeObject,
    args: *mut PyObject,
    _kwargs: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as this function's callers promise. `tp_alloc` of the class gives an object of it, of `basicsize` bytes at
    // the least, so that `Samples` is what it begins with.
    unsafe {
        let py = Python::assume_attached();
        if ffi::PyTuple_Size(args) != 1 {
            PyTypeError::new_err("SampleBuffer takes one argument, pcm").restore(py);
            return ptr::null_mut();
        }
        let pcm = ffi::PyTuple_GetItem(args, 0);
        let Ok(bytes) = Bound::from_borrowed_ptr(py, pcm).cast_into::<PyBytes>() else {
            PyTypeError::new_err("pcm must be bytes").restore(py);
            return ptr::null_mut();
        };
        let alloc = ffi::PyType_GetSlot(class, ffi::Py_tp_alloc);
        let alloc: ffi::allocfunc = std::mem::transmute(alloc);
        let object = alloc(class, 0).cast::<Samples>();
        if !object.is_null() {
            let data = bytes.as_bytes();
            (*object).first = data.as_ptr().cast_mut().cast();
            (*object).shape = [data.len() as isize / ITEM_SIZE];
            (*object).strides = [ITEM_SIZE];
            (*object).pcm = bytes.into_ptr();
        }
        object.cast()
    }
}

/// # Safety
///
/// The interpreter calls it, attached, with an object of the class that nobody refers to any more.
unsafe extern "C" fn dealloc(object: *mut PyObject) {
    // SAFETY: as this function's callers promise. An object that `new` made has its bytes; the type is released after the
    // object, as each object of a heap type holds it.
    unsafe {
        let class = ffi::Py_TYPE(object);
        ffi::Py_DecRef((*object.cast::<Samples>()).pcm);
        let free = ffi::PyType_GetSlot(class, ffi::Py_tp_free);
        let free: ffi::freefunc = std::mem::transmute(free);
        free(object.cast());
        ffi::Py_DecRef(class.cast());
    }
}

/// Fills a view. Nothing need be done when it is released: it holds the object.
///
/// # Safety
///
/// The interpreter calls it, attached, with an object of the class and a place for a view.
unsafe extern "C" fn get_buffer(object: *mut PyObject, view: *mut View, flags: c_int) -> c_int {
    // SAFETY: as this function's callers promise. What the view points to lives as long as the object, and is written to by
    // nobody: the view is read-only.
    unsafe {
        (*view).obj = ptr::null_mut();
        if flags & WRITABLE == WRITABLE {
            PyBufferError::new_err("samples cannot be written to")
                .restore(Python::assume_attached());
            return -1;
        }
        let samples = object.cast::<Samples>();
        let asked =
            |flag, field: *mut isize| if flags & flag == flag { field } else { ptr::null_mut() };
        (*view).buf = (*samples).first;
        (*view).len = (*samples).shape[0] * ITEM_SIZE;
        (*view).itemsize = ITEM_SIZE;
        (*view).readonly = 1;
        (*view).ndim = 1;
        (*view).format =
            if flags & FORMAT == FORMAT { ITEM.as_ptr().cast_mut() } else { ptr::null_mut() };
        (*view).shape = asked(ND, (&raw mut (*samples).shape).cast());
        (*view).strides = asked(STRIDES, (&raw mut (*samples).strides).cast());
        (*view).suboffsets = ptr::null_mut();
        (*view).internal = ptr::null_mut();
        ffi::Py_IncRef(object);
        (*view).obj = object;
        0
    }
}
