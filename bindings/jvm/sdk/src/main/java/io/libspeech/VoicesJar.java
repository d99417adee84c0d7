package io.libspeech;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;

/**
 * The voices in the dependency {@code libspeech-sdk-voices}. Its jar stores the tar file of the
 * bundle uncompressed, so that it can be mapped into memory directly. If the jar was repacked with
 * compression, the tar file is read into memory.
 */
final class VoicesJar {
    /** The tar file of the bundle. */
    static final String RESOURCE = "io/libspeech/voices/bundle.tar";

    private VoicesJar() {}

    /** The bundle; null if the dependency is missing. */
    static @Nullable BundleSource find() {
        URL url = Resources.find(RESOURCE);
        if (url == null) {
            return null;
        }
        try {
            if (url.getProtocol().equals("file")) {
                return BundleSource.path(new File(url.toURI()).getPath());
            }
            BundleSource mapped = mapped(url);
            return mapped == null ? BundleSource.memory(read(url)) : mapped;
        } catch (IOException | URISyntaxException failure) {
            SpeechException error = new ModelException("the voices at " + url + " cannot be read");
            error.initCause(failure);
            throw error;
        }
    }

    /** The part of the jar with the bundle; null if it is compressed, or the jar is not a file. */
    private static @Nullable BundleSource mapped(URL url) throws IOException, URISyntaxException {
        URLConnection connection = url.openConnection();
        connection.setUseCaches(false);
        if (!(connection instanceof JarURLConnection)) {
            return null;
        }
        URI jar = ((JarURLConnection) connection).getJarFileURL().toURI();
        if (!"file".equals(jar.getScheme())) {
            return null;
        }
        ZipEntry entry = ((JarURLConnection) connection).getJarEntry();
        try {
            if (entry == null || entry.getMethod() != ZipEntry.STORED) {
                return null;
            }
            File file = new File(jar);
            long offset = StoredEntry.offset(file, entry.getName());
            return offset < 0 ? null : BundleSource.partOf(file.getPath(), offset, entry.getSize());
        } finally {
            ((JarURLConnection) connection).getJarFile().close();
        }
    }

    private static ByteBuffer read(URL url) throws IOException {
        URLConnection connection = url.openConnection();
        connection.setUseCaches(false);
        int length = connection.getContentLength();
        if (length < 0) {
            throw new IOException("its length is not known");
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect(length);
        try (InputStream in = connection.getInputStream()) {
            byte[] part = new byte[1 << 16];
            for (int read = in.read(part); read >= 0; read = in.read(part)) {
                bytes.put(part, 0, read);
            }
        }
        ((java.nio.Buffer) bytes).flip();
        return bytes;
    }
}
