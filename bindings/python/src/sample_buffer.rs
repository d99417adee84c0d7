//! A Python class whose objects support the buffer protocol, in every Python that the module runs in.
//!
//! The limited API has the buffer protocol since Python 3.11, and so has PyO3. The interpreters have understood these slots
//! of a class since 3.9. So the class is made with the C API directly. It calls no function that the limited API of 3.9
//! lacks. An object holds a `bytes` object, and exports its memory.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi::{self, PyObject, PyTypeObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyType};

/// The number of the slot. It is part of the stable ABI since 3.11, and had the same value before.
const BF_GETBUFFER: c_int = 1;

/// `PyBUF_WRITABLE`, `PyBUF_FORMAT`, `PyBUF_ND` and `PyBUF_STRIDES`: part of the stable ABI too.
const WRITABLE: c_int = 0x1;
const FORMAT: c_int = 0x4;
const ND: c_int = 0x8;
const STRIDES: c_int = 0x10 | ND;

const ITEM_SIZE: isize = size_of::<i16>() as isize;

/// The code of a 16-bit integer in the `struct` module.
const ITEM_FORMAT: &CStr = c"h";

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
struct SampleBuffer {
    head: PyObject,
    /// The samples: an owned reference to a `bytes` object.
    pcm: *mut PyObject,
    /// The memory of `pcm`.
    data: *mut c_void,
    /// The number of samples, and the bytes from one to the next. Views point to these.
    shape: [isize; 1],
    strides: [isize; 1],
}

/// The class `SampleBuffer`, which is to be inherited from. `SampleBuffer(pcm)` holds `pcm`, a `bytes` object.
pub(crate) fn class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.get_or_try_init(py, || make(py)).map(|class| class.bind(py))
}

fn make(py: Python<'_>) -> PyResult<Py<PyType>> {
    let slot = |slot, pfunc| ffi::PyType_Slot { slot, pfunc };
    let doc = c"16-bit mono samples that support the buffer protocol.";
    let mut slots = [
        slot(ffi::Py_tp_doc, doc.as_ptr() as *mut c_void),
        slot(ffi::Py_tp_new, new as ffi::newfunc as *mut c_void),
        slot(ffi::Py_tp_dealloc, dealloc as ffi::destructor as *mut c_void),
        slot(BF_GETBUFFER, get_buffer as GetBuffer as *mut c_void),
        slot(0, ptr::null_mut()),
    ];
    let mut spec = ffi::PyType_Spec {
        name: c"libspeech._libspeech.SampleBuffer".as_ptr(),
        basicsize: size_of::<SampleBuffer>() as c_int,
        itemsize: 0,
        flags: (ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE) as _,
        slots: slots.as_mut_ptr(),
    };
    // SAFETY: the name and the documentation are static, the slots end with a zero slot, and each function has the type
    // that its slot requires. The result is a new reference to a type, or NULL with an exception set.
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
/// `class` is `SampleBuffer` or a subclass, `args` a tuple, and the calling thread is attached to Python.
unsafe extern "C" fn new(
    class: *mut PyTypeObject,
    args: *mut PyObject,
    _kwargs: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: the thread is attached, `class` is a class and `args` a tuple. The item of the tuple is a borrowed reference
    // that lives as long as `args`. `tp_alloc` gives an object of at least `basicsize` bytes, and the class inherits from
    // ours, so the object begins with a `SampleBuffer`. `data` points into `bytes`, which `pcm` keeps alive.
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
        let object = alloc(class, 0).cast::<SampleBuffer>();
        if !object.is_null() {
            let data = bytes.as_bytes();
            (*object).data = data.as_ptr().cast_mut().cast();
            (*object).shape = [data.len() as isize / ITEM_SIZE];
            (*object).strides = [ITEM_SIZE];
            (*object).pcm = bytes.into_ptr();
        }
        object.cast()
    }
}

/// Releases an object.
///
/// # Safety
///
/// `object` is an object of the class with no references left, and the calling thread is attached to Python.
unsafe extern "C" fn dealloc(object: *mut PyObject) {
    // SAFETY: `new` made the object, so `pcm` is an owned reference. The object is freed by the function of its class. An
    // object of a heap type owns a reference to the type, which is released last, because `free` belongs to the type.
    unsafe {
        let class = ffi::Py_TYPE(object);
        ffi::Py_DecRef((*object.cast::<SampleBuffer>()).pcm);
        let free = ffi::PyType_GetSlot(class, ffi::Py_tp_free);
        let free: ffi::freefunc = std::mem::transmute(free);
        free(object.cast());
        ffi::Py_DecRef(class.cast());
    }
}

/// Fills a view. The view owns a reference to the object, so releasing it needs no function of ours.
///
/// # Safety
///
/// `object` is an object of the class, `view` can be written to, and the calling thread is attached to Python.
unsafe extern "C" fn get_buffer(object: *mut PyObject, view: *mut View, flags: c_int) -> c_int {
    // SAFETY: `object` begins with a `SampleBuffer`, as `new` made it. The view owns a reference to it, so what the view
    // points to outlives the view. The view is read-only, so nobody writes to the immutable memory of `pcm`.
    unsafe {
        (*view).obj = ptr::null_mut();
        if flags & WRITABLE == WRITABLE {
            PyBufferError::new_err("samples cannot be written to")
                .restore(Python::assume_attached());
            return -1;
        }
        let samples = object.cast::<SampleBuffer>();
        let if_requested =
            |flag, field: *mut isize| if flags & flag == flag { field } else { ptr::null_mut() };
        (*view).buf = (*samples).data;
        (*view).len = (*samples).shape[0] * ITEM_SIZE;
        (*view).itemsize = ITEM_SIZE;
        (*view).readonly = 1;
        (*view).ndim = 1;
        (*view).format = if flags & FORMAT == FORMAT {
            ITEM_FORMAT.as_ptr().cast_mut()
        } else {
            ptr::null_mut()
        };
        (*view).shape = if_requested(ND, (&raw mut (*samples).shape).cast());
        (*view).strides = if_requested(STRIDES, (&raw mut (*samples).strides).cast());
        (*view).suboffsets = ptr::null_mut();
        (*view).internal = ptr::null_mut();
        ffi::Py_IncRef(object);
        (*view).obj = object;
        0
    }
}
