//! Links for Android with LLVM's linker and without the Android NDK. Links against stub libraries,
//! which define only the names of the called Android functions. Adds an unwinder, which every
//! Android library contains.

use super::zig::Zig;
use super::{Linker, lld, zig_folder};
use crate::dist::platform::Platform;
use crate::prelude::*;

/// The largest page size of a supported system in bytes: 16 KiB from Android 15 on.
pub(crate) const PAGE: u64 = 16_384;

/// The file name by which Java loads the library.
const NAME: &str = "libspeech_jvm.so";

/// The Android libraries with the functions that the library calls. Every system from API level 23
/// has them: a test loads the package with the libraries of that system.
const CALLED: [(&str, &str); 4] = [
    (
        "libc",
        "__errno __register_atfork __system_property_get abort calloc clock_gettime close fcntl \
         fflush fprintf free fstat fwrite getauxval getcwd getenv getpid lseek64 malloc memcmp \
         memcpy memmove memset mmap mmap64 munmap open poll posix_memalign prctl \
         pthread_attr_destroy pthread_attr_init pthread_attr_setstacksize pthread_create \
         pthread_detach pthread_getspecific pthread_join pthread_key_create pthread_key_delete \
         pthread_setspecific read readlink realloc realpath sched_getaffinity sched_yield \
         snprintf stat stderr strerror_r strlen syscall sysconf write writev",
    ),
    ("libm", "cos cosf exp exp2 expf log log10 log2 pow powf sin tanhf"),
    ("libdl", "dl_iterate_phdr dladdr dlsym"),
    ("liblog", ""),
];

/// The Android functions that may be called.
pub(crate) fn called() -> impl Iterator<Item = &'static str> {
    CALLED.iter().flat_map(|(_, functions)| functions.split_whitespace())
}

/// Writes the stub libraries and returns the linker settings.
pub(super) fn linker(platform: &Platform) -> Result<Linker> {
    let zig = Zig::new(platform, "")?;
    for (library, functions) in CALLED {
        zig.stub(platform, &format!("{library}.so"), functions.split_whitespace(), "")?;
    }
    write_unwinder(&zig, platform)?;
    let mut linker = Linker::new(platform, &lld()?);
    linker.flags.push("-Clinker-flavor=ld.lld".into());
    let folder = format!("-L{}", zig.folder.display());
    let page = format!("max-page-size={PAGE}");
    for argument in [&folder, "-z", "defs", "-z", &page, "-soname", NAME] {
        linker.flags.push(format!("-Clink-arg={argument}").into());
    }
    Ok(linker)
}

/// Compiles LLVM's unwinder from the sources in zig.
///
/// zig has no Android headers. The musl headers agree with them in everything that the unwinder
/// uses, except the size of a lock. So the unwinder is compiled without locks. Only registration of
/// unwind tables at run time would need a lock, and nothing registers any.
fn write_unwinder(zig: &Zig, platform: &Platform) -> Result<()> {
    let archive = zig.folder.join("libunwind.a");
    if archive.exists() {
        return Ok(());
    }
    let sources = zig_folder()?.join("lib/libunwind");
    let item = Item::start(format!("unwinder for {}", platform.triple()));
    let partial = archive.with_extension("partial");
    remove(&partial)?;
    let mut ar = zig.command("ar");
    ar.arg("rcs").arg(&partial);
    for source in SOURCES.split(' ') {
        let object = zig.folder.join(source).with_extension("o");
        let is_cpp = source.ends_with(".cpp");
        let (language, flags) = if is_cpp { ("c++", CPP) } else { ("cc", "-fexceptions") };
        let mut compiler = zig.compiler(platform, language);
        compiler.args(flags.split(' ')).args(FLAGS.split(' '));
        compiler.arg("-I").arg(sources.join("include"));
        compiler.arg("-c").arg(sources.join("src").join(source)).arg("-o").arg(&object);
        process::quiet(&mut compiler, &item)?;
        ar.arg(object);
    }
    process::quiet(&mut ar, &item)?;
    fs::rename(&partial, archive)?;
    item.finish("");
    Ok(())
}

/// The source files, as in the unwinder's own build.
const SOURCES: &str = "libunwind.cpp Unwind-EHABI.cpp UnwindLevel1.c UnwindLevel1-gcc-ext.c \
                       UnwindRegistersSave.S UnwindRegistersRestore.S";

const CPP: &str = "-std=c++17 -nostdinc++ -fno-exceptions -fno-rtti";

/// `errno` is another function on Android. Hides the symbols of the unwinder.
const FLAGS: &str = "-O2 -fPIC -fvisibility=hidden -funwind-tables -DNDEBUG \
                     -D__errno_location=__errno -D_LIBUNWIND_HAS_NO_THREADS \
                     -D_LIBUNWIND_HIDE_SYMBOLS -D_LIBUNWIND_IS_NATIVE_ONLY";
