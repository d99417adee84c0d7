//! Windows.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::windows::ffi::OsStringExt;
use std::os::windows::fs::FileExt;
use std::os::windows::io::AsRawHandle;
use std::path::PathBuf;

use windows_sys::Win32::Foundation::HMODULE;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_BASIC_INFO, FILE_ID_INFO, FILE_INFO_BY_HANDLE_CLASS, FILE_STANDARD_INFO, FileBasicInfo,
    FileIdInfo, FileStandardInfo, GetFileInformationByHandleEx,
};
use windows_sys::Win32::System::LibraryLoader::{
    GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_PIN,
    GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT, GetModuleFileNameW, GetModuleHandleExW,
};

use super::FileIdentity;

/// The system's longest path, in UTF-16 code units.
const MAX_PATH: usize = 32_768;

/// The path of the DLL that contains this code, or of the program if it is linked statically.
pub fn this_library() -> Option<PathBuf> {
    let module = this_module(GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT)?;
    let mut path = vec![0; MAX_PATH];
    // SAFETY: the module is loaded while its code runs, and the buffer has the given length.
    let length = unsafe { GetModuleFileNameW(module, path.as_mut_ptr(), MAX_PATH as u32) } as usize;
    // A truncated path fills the buffer.
    (1..MAX_PATH).contains(&length).then(|| OsString::from_wide(&path[..length]).into())
}

/// Reads bytes of a file from an offset; at least one, except at the end of the file.
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.seek_read(buffer, offset)
}

/// Always 0: there is no `fork`.
pub fn forks() -> usize {
    0
}

/// Keeps the library loaded after a program closes it, because its threads run in it.
pub fn stay_loaded() {
    // If this fails, the program itself must keep the DLL loaded.
    let _ = this_module(GET_MODULE_HANDLE_EX_FLAG_PIN);
}

fn this_module(flags: u32) -> Option<HMODULE> {
    let flags = GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | flags;
    let mut module: HMODULE = std::ptr::null_mut();
    // SAFETY: with these flags the name is the address of a function, and `module` has room for the
    // result.
    let found =
        unsafe { GetModuleHandleExW(flags, this_library as *const u16, &raw mut module) } != 0;
    found.then_some(module)
}

/// Identifies a file and its content; none if the system cannot.
pub fn file_identity(file: &File) -> Option<FileIdentity> {
    // SAFETY: each structure matches its class and consists of integers, so all zeros are valid.
    let (id, basic, standard) = unsafe {
        (
            information::<FILE_ID_INFO>(file, FileIdInfo)?,
            information::<FILE_BASIC_INFO>(file, FileBasicInfo)?,
            information::<FILE_STANDARD_INFO>(file, FileStandardInfo)?,
        )
    };
    let number = u128::from_ne_bytes(id.FileId.Identifier);
    Some(FileIdentity([
        id.VolumeSerialNumber.cast_signed(),
        (number >> 64) as i64,
        number as i64,
        standard.EndOfFile,
        basic.LastWriteTime,
        basic.ChangeTime,
        basic.CreationTime,
    ]))
}

/// Information of one class about a file.
///
/// # Safety
///
/// `T` is the structure of the class, and all zeros are a valid value of it.
unsafe fn information<T>(file: &File, class: FILE_INFO_BY_HANDLE_CLASS) -> Option<T> {
    let mut information = std::mem::MaybeUninit::<T>::zeroed();
    // SAFETY: the handle is open, and the buffer has the given length.
    let told = unsafe {
        GetFileInformationByHandleEx(
            file.as_raw_handle(),
            class,
            information.as_mut_ptr().cast(),
            size_of::<T>() as u32,
        )
    };
    // SAFETY: all zeros are valid, and so is what the system writes.
    (told != 0).then(|| unsafe { information.assume_init() })
}

/// Milliseconds since 1970; always available on this system.
pub fn unix_millis() -> Option<u64> {
    let time = std::time::UNIX_EPOCH.elapsed().ok()?;
    u64::try_from(time.as_millis()).ok()
}
