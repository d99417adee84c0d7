//! LLVM's linker for Android, without Google's native development kit: libraries that have the names of the functions of Android's
//! that are called, and no code, and an unwinder, which on Android every library brings.

use super::zig::Zig;
use super::{Linker, lld, zig_folder};
use crate::dist::platform::Platform;
use crate::prelude::*;

/// The largest pages of memory that a system may have, in bytes: 16 KB from Android 15 on.
pub(crate) const PAGE: u64 = 16_384;

/// The name by which Java loads the library.
const NAME: &str = "libspeech_jvm.so";

/// The libraries of Android that are called, with the functions that are. Every system from API level 23 has them: a test loads the
/// package with the libraries of that system.
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

/// The functions of Android that may be called.
pub(crate) fn called() -> impl Iterator<Item = &'static str> {
    CALLED.iter().flat_map(|(_, functions)| functions.split_whitespace())
}

/// Makes the libraries to link against.
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

/// Compiles LLVM's unwinder from its sources, which come with zig.
///
/// zig has no headers of Android's. Those of musl agree with them in what the unwinder uses, but for the size of a lock: it is
/// compiled without. It would be for tables that a program adds while it runs, which nobody does; those of a library are
/// only read.
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

/// The sources of the unwinder, in the way that its own build files have them.
const SOURCES: &str = "libunwind.cpp Unwind-EHABI.cpp UnwindLevel1.c UnwindLevel1-gcc-ext.c \
                       UnwindRegistersSave.S UnwindRegistersRestore.S";

const CPP: &str = "-std=c++17 -nostdinc++ -fno-exceptions -fno-rtti";

/// `errno` has another function on Android, and what nobody else shall see of the unwinder is hidden.
const FLAGS: &str = "-O2 -fPIC -fvisibility=hidden -funwind-tables -DNDEBUG \
                     -D__errno_location=__errno -D_LIBUNWIND_HAS_NO_THREADS \
                     -D_LIBUNWIND_HIDE_SYMBOLS -D_LIBUNWIND_IS_NATIVE_ONLY";
