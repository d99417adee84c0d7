package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The native library and the voices in jars, loaded in separate virtual machines. */
@Timeout(240)
class LoaderTest {
    private static final int PART = 1 << 16;

    @TempDir static Path packed;
    private static Path natives;

    @TempDir Path folder;

    /** Speaks with the class path of the process, and prints the number of samples. */
    public static final class Program {
        private Program() {}

        /** Speaks a word. */
        public static void main(String[] arguments) {
            try (SpeechEngine engine = SpeechEngine.load()) {
                System.out.println(engine.synthesize("Hello.").sampleCount() > 0);
            }
        }
    }

    @BeforeAll
    static void pack() throws Exception {
        Platform platform = Platform.current();
        File built = new File(System.getProperty(NativeLibrary.PROPERTY));
        byte[] library = Files.readAllBytes(built.toPath());
        StringBuilder hash = new StringBuilder();
        for (byte b : MessageDigest.getInstance("SHA-256").digest(library)) {
            hash.append(String.format("%02x", b));
        }
        natives = packed.resolve("natives.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(natives))) {
            put(jar, platform.resource(), library, ZipEntry.STORED);
            put(jar, platform.resource() + ".sha256", (hash + "\n").getBytes(StandardCharsets.US_ASCII), ZipEntry.DEFLATED);
        }
    }

    private static void put(JarOutputStream jar, String name, byte[] bytes, int method) throws IOException {
        JarEntry entry = new JarEntry(name);
        entry.setMethod(method);
        if (method == ZipEntry.STORED) {
            CRC32 crc = new CRC32();
            crc.update(bytes);
            entry.setCrc(crc.getValue());
            entry.setSize(bytes.length);
        }
        jar.putNextEntry(entry);
        // In parts: with JNI checks every call copies its whole array.
        for (int at = 0; at < bytes.length; at += PART) {
            byte[] part = Arrays.copyOfRange(bytes, at, Math.min(at + PART, bytes.length));
            jar.write(part);
        }
        jar.closeEntry();
    }

    /** The voices jar, with the bundle of the fake model. */
    private Path voices(int method) throws Exception {
        Path tar = folder.resolve("bundle.tar");
        Support.run(new ProcessBuilder("tar", "-cf", tar.toString(), "-C", Support.fakeBundle().getPath(), "."));
        Path file = folder.resolve("voices with a space " + method + ".jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
            put(jar, "io/libspeech/voices/a.txt", new byte[100], ZipEntry.DEFLATED);
            put(jar, VoicesJar.RESOURCE, Files.readAllBytes(tar), method);
        }
        return file;
    }

    /** A virtual machine that runs the program with some jars and its own home directory. */
    private ProcessBuilder machine(List<Path> jars, String... options) throws Exception {
        List<String> path = new ArrayList<>();
        for (Class<?> type : List.of(SpeechEngine.class, Program.class)) {
            path.add(new File(type.getProtectionDomain().getCodeSource().getLocation().toURI()).getPath());
        }
        jars.forEach(jar -> path.add(jar.toString()));
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-Duser.home=" + folder.resolve("home"), "-Djava.io.tmpdir=" + temporary()));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", String.join(File.pathSeparator, path), Program.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove("XDG_CACHE_HOME");
        builder.environment().remove("SPEECH_BUNDLE");
        builder.environment().put("HOME", folder.resolve("home").toString());
        return builder;
    }

    /**
     * Runs a program, which must speak. Newer versions of Java first warn about native libraries.
     */
    private static void speaks(ProcessBuilder program) throws Exception {
        String printed = Support.run(program);
        assertTrue(printed.endsWith("true\n"), printed);
    }

    private Path temporary() throws IOException {
        return Files.createDirectories(folder.resolve("tmp"));
    }

    private String usual() {
        return "-Dlibspeech.bundle=" + Support.fakeBundle();
    }

    private static List<Path> files(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void theLibraryIsWrittenOnce() throws Exception {
        speaks(machine(List.of(natives), usual()));
        List<Path> written = files(folder.resolve("home"));
        assertEquals(1, written.size(), written.toString());
        Path file = written.get(0);
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())));
        Object before = Files.getAttribute(file, "unix:ino");
        speaks(machine(List.of(natives), usual()));
        assertEquals(before, Files.getAttribute(file, "unix:ino"));
        assertEquals(List.of(), files(temporary()));
    }

    @Test
    void aDamagedFileIsWrittenAgain() throws Exception {
        Support.run(machine(List.of(natives), usual()));
        Path file = files(folder.resolve("home")).get(0);
        Files.writeString(file, "cut off");
        speaks(machine(List.of(natives), usual()));
        assertTrue(Files.size(file) > 1_000_000);
    }

    @Test
    void programsThatStartAtTheSameTime() throws Exception {
        List<Process> programs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            programs.add(machine(List.of(natives), usual()).redirectErrorStream(true).start());
        }
        for (Process program : programs) {
            String printed = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(program.waitFor(60, TimeUnit.SECONDS));
            assertTrue(printed.endsWith("true\n"), printed);
        }
        assertEquals(1, files(folder.resolve("home")).size());
    }

    @Test
    void aFolderFromAProperty() throws Exception {
        Path named = folder.resolve("named");
        speaks(machine(List.of(natives), usual(), "-Dlibspeech.directory=" + named));
        assertEquals(1, files(named).size());
        assertEquals(List.of(), files(folder.resolve("home")));
    }

    @Test
    void aFileFromAProperty() throws Exception {
        String library = "-Dlibspeech.library=" + System.getProperty(NativeLibrary.PROPERTY);
        speaks(machine(List.of(), usual(), library));
        assertEquals(List.of(), files(folder.resolve("home")));
    }

    /** Without a writable home directory, uses a temporary folder, which is removed at exit. */
    @Test
    void aHomeThatCannotBeWritten() throws Exception {
        Files.writeString(folder.resolve("home"), "no folder");
        speaks(machine(List.of(natives), usual()));
        assertEquals(List.of(), files(temporary()));
    }

    @Test
    void noPlaceAtAll() throws Exception {
        Path none = folder.resolve("none");
        Files.writeString(none, "no folder");
        ProcessBuilder machine = machine(List.of(natives), usual(), "-Dlibspeech.directory=" + none);
        Process process = machine.redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, process.waitFor());
        assertTrue(printed.contains("java.lang.UnsatisfiedLinkError: the native library could not be written"), printed);
        assertTrue(printed.contains("libspeech.library") && printed.contains(none.toString()), printed);
    }

    @Test
    void noLibraryAtAll() throws Exception {
        Process process = machine(List.of(), usual()).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, process.waitFor());
        assertTrue(printed.contains("no native library for " + Platform.current().name()), printed);
    }

    /** Stored bytes are mapped, and compressed ones read: both speak. */
    @Test
    void voicesInAJar() throws Exception {
        for (int method : new int[] {ZipEntry.STORED, ZipEntry.DEFLATED}) {
            speaks(machine(List.of(natives, voices(method))));
        }
    }

    @Test
    void storedBytesAreFound() throws Exception {
        Path jar = voices(ZipEntry.STORED);
        byte[] file = Files.readAllBytes(jar);
        byte[] tar = Files.readAllBytes(folder.resolve("bundle.tar"));
        int offset = (int) StoredEntry.offset(jar.toFile(), VoicesJar.RESOURCE);
        assertEquals(new String(tar, 0, 500, StandardCharsets.ISO_8859_1), new String(file, offset, 500, StandardCharsets.ISO_8859_1));
        assertEquals(-1, StoredEntry.offset(jar.toFile(), "none"));
        Path other = folder.resolve("other");
        for (int length : new int[] {0, 10, 22, 1000, file.length - 1}) {
            Files.write(other, Arrays.copyOf(file, length));
            assertEquals(-1, StoredEntry.offset(other.toFile(), VoicesJar.RESOURCE), "cut off at " + length);
        }
    }

    @Test
    void platforms() {
        String[][] rows = {
            {"Linux", "amd64", "linux-x86_64", "libspeech_jvm.so"},
            {"Linux", "aarch64", "linux-aarch64", "libspeech_jvm.so"},
            {"Mac OS X", "aarch64", "macos-aarch64", "libspeech_jvm.dylib"},
            {"Mac OS X", "x86_64", "macos-x86_64", "libspeech_jvm.dylib"},
            {"Windows 11", "amd64", "windows-x86_64", "speech_jvm.dll"},
            {"Windows Server 2022", "arm64", "windows-aarch64", "speech_jvm.dll"},
        };
        for (String[] row : rows) {
            Platform platform = Platform.of(row[0], row[1], false);
            assertEquals(row[2], platform.name());
            assertEquals(row[3], platform.file());
        }
        assertEquals("linux-musl-x86_64", Platform.of("Linux", "amd64", true).name());
    }
}
