package io.libspeech;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes the library in the jar to a file, as a system can load only files.
 *
 * <p>The file is in a folder named after the file's hash, so that each version has its own folder.
 * It is written once, under another name, and then renamed, so that programs started at the same
 * time never see half a file. An existing file is used if its hash is correct. The folder is in the
 * path of the system property {@code libspeech.directory}, if that is set. Otherwise it is in the
 * user's cache. If the file cannot be written or loaded there, the folder is a new temporary one,
 * which only this user can read, and which is removed at exit.
 */
@RequiresApi(26)
final class ExtractedLibrary {
    /** The system property with the path of the folder. */
    static final String PROPERTY = "libspeech.directory";

    private ExtractedLibrary() {}

    /** Loads the library of the jar for a platform. */
    static void load(Platform platform) {
        URL library = Resources.find(platform.resource());
        URL hash = Resources.find(platform.resource() + ".sha256");
        if (library == null || hash == null) {
            throw new UnsatisfiedLinkError(
                    "no native library for "
                            + platform.name()
                            + ": add the dependency io.libspeech:libspeech-sdk with the classifier "
                            + platform.name()
                            + ", or name the file in the system property "
                            + NativeLibrary.PROPERTY);
        }
        List<String> failures = new ArrayList<>();
        for (Folder folder : folders()) {
            try {
                Path file = folder.extract(library, line(hash), platform.file());
                System.load(file.toString());
                return;
            } catch (IOException | UnsatisfiedLinkError failure) {
                failures.add(folder + ": " + failure);
            }
        }
        throw new UnsatisfiedLinkError(
                "the native library could not be written and loaded in any of these folders; name one where that is allowed in the"
                        + " system property "
                        + PROPERTY
                        + ", or the file of the library in "
                        + NativeLibrary.PROPERTY
                        + ". "
                        + String.join("; ", failures));
    }

    /** The folders to try, in order. */
    private static List<Folder> folders() {
        List<Folder> folders = new ArrayList<>();
        String named = System.getProperty(PROPERTY, "");
        if (!named.isEmpty()) {
            folders.add(new Folder(Paths.get(named).toAbsolutePath()));
            return folders;
        }
        Path cache = cache();
        if (cache != null) {
            folders.add(new Folder(cache));
        }
        folders.add(new Folder(null));
        return folders;
    }

    /** The directory for the user's caches. */
    private static @Nullable Path cache() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String home = System.getProperty("user.home", "");
        if (os.startsWith("windows")) {
            String local = System.getenv("LOCALAPPDATA");
            return local == null || local.isEmpty() ? null : Paths.get(local, "libspeech", "natives");
        }
        String xdg = System.getenv("XDG_CACHE_HOME");
        if (!os.startsWith("mac") && xdg != null && Paths.get(xdg).isAbsolute()) {
            return Paths.get(xdg, "libspeech", "natives");
        }
        // A user without a home directory may have an invalid path here, such as `?`, or the root.
        if (home.isEmpty() || !Paths.get(home).isAbsolute() || Paths.get(home).getParent() == null) {
            return null;
        }
        Path caches = os.startsWith("mac") ? Paths.get(home, "Library", "Caches") : Paths.get(home, ".cache");
        return caches.resolve("libspeech").resolve("natives");
    }

    private static String line(URL url) throws IOException {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(open(url), StandardCharsets.US_ASCII))) {
            return String.valueOf(reader.readLine()).trim();
        }
    }

    private static InputStream open(URL url) throws IOException {
        URLConnection connection = url.openConnection();
        // A cached jar stays open, and could not be replaced while the program runs.
        connection.setUseCaches(false);
        return connection.getInputStream();
    }

    /** A folder for the library; null stands for a new temporary one. */
    @RequiresApi(26)
    private static final class Folder {
        private final @Nullable Path root;

        Folder(@Nullable Path root) {
            this.root = root;
        }

        Path extract(URL library, String hash, String name) throws IOException {
            if (root == null) {
                Path folder = Files.createTempDirectory("libspeech-");
                Path file = folder.resolve(name);
                folder.toFile().deleteOnExit();
                file.toFile().deleteOnExit();
                write(library, hash, file);
                return file;
            }
            Path folder = privateFolder(root.resolve(hash.substring(0, 32)));
            Path file = folder.resolve(name);
            if (!Files.isRegularFile(file) || !hash(file).equals(hash)) {
                write(library, hash, file);
            }
            return file;
        }

        /** Creates a folder that only this user can read. */
        private static Path privateFolder(Path folder) throws IOException {
            Files.createDirectories(folder);
            try {
                Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            } catch (UnsupportedOperationException notPosix) {
                // On Windows a user's folders are private to the user.
            }
            return folder;
        }

        private static void write(URL library, String hash, Path file) throws IOException {
            Path partial = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".partial");
            try {
                try (InputStream in = open(library)) {
                    Files.copy(in, partial, StandardCopyOption.REPLACE_EXISTING);
                }
                if (!hash(partial).equals(hash)) {
                    throw new IOException("the native library in the jar is damaged");
                }
                move(partial, file, hash);
            } finally {
                Files.deleteIfExists(partial);
            }
        }

        private static void move(Path partial, Path file, String hash) throws IOException {
            try {
                Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
            } catch (AtomicMoveNotSupportedException notSupported) {
                Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
            } catch (IOException failure) {
                // Windows does not replace a file that another program has loaded. That program has
                // written the same bytes.
                if (!Files.isRegularFile(file) || !hash(file).equals(hash)) {
                    throw failure;
                }
            }
        }

        private static String hash(Path file) throws IOException {
            MessageDigest digest;
            try {
                digest = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException impossible) {
                throw new AssertionError("every platform of Java has SHA-256", impossible);
            }
            try (InputStream in = Files.newInputStream(file)) {
                byte[] part = new byte[1 << 16];
                for (int read = in.read(part); read >= 0; read = in.read(part)) {
                    digest.update(part, 0, read);
                }
            }
            StringBuilder hex = new StringBuilder();
            for (byte b : digest.digest()) {
                hex.append(String.format("%02x", b));
            }
            return hex.toString();
        }

        @Override
        public String toString() {
            return root == null ? System.getProperty("java.io.tmpdir", "temporary files") : root.toString();
        }
    }
}
