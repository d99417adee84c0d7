package io.libspeech;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Locale;

/** The name of a platform in jar names, and the file name of a library there. */
final class Platform {
    private final String name;
    private final String file;

    private Platform(String name, String file) {
        this.name = name;
        this.file = file;
    }

    /** The platform of this virtual machine. */
    static Platform current() {
        return of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""), usesMusl());
    }

    static Platform of(String system, String processor, boolean musl) {
        String arch = processor.toLowerCase(Locale.ROOT);
        if (arch.equals("amd64") || arch.equals("x64")) {
            arch = "x86_64";
        } else if (arch.equals("arm64")) {
            arch = "aarch64";
        }
        String os = system.toLowerCase(Locale.ROOT);
        String library = NativeLibrary.NAME;
        if (os.startsWith("windows")) {
            return new Platform("windows-" + arch, library + ".dll");
        }
        if (os.startsWith("mac")) {
            return new Platform("macos-" + arch, "lib" + library + ".dylib");
        }
        String name = os.replace(' ', '_') + (musl ? "-musl-" : "-") + arch;
        return new Platform(name, "lib" + library + ".so");
    }

    /** Whether this process uses the C library musl: whether its file is mapped. */
    @RequiresApi(26)
    private static boolean usesMusl() {
        try {
            byte[] maps = Files.readAllBytes(Paths.get("/proc/self/maps"));
            return new String(maps, StandardCharsets.UTF_8).contains("/ld-musl-");
        } catch (IOException notLinux) {
            return false;
        }
    }

    /** The classifier of the jar, such as {@code linux-x86_64}. */
    String name() {
        return name;
    }

    /** The file name of the library. */
    String file() {
        return file;
    }

    /** The path of the library in the jar. */
    String resource() {
        return "io/libspeech/natives/" + name + "/" + file;
    }
}
