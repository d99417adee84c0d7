package io.libspeech;

import java.io.InputStream;
import java.nio.ByteBuffer;

/** Reads the samples of a {@link SpeechStream} as bytes. */
final class ChunkInputStream extends InputStream {
    private final SpeechStream chunks;
    private ByteBuffer bytes = ByteBuffer.allocate(0);

    ChunkInputStream(SpeechStream chunks) {
        this.chunks = chunks;
    }

    @Override
    public int read() {
        return fill() ? bytes.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
        if (offset < 0 || length < 0 || length > buffer.length - offset) {
            throw new IndexOutOfBoundsException("offset " + offset + ", length " + length);
        }
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int read = Math.min(length, bytes.remaining());
        bytes.get(buffer, offset, read);
        return read;
    }

    @Override
    public int available() {
        return bytes.remaining();
    }

    @Override
    public void close() {
        chunks.close();
        bytes = ByteBuffer.allocate(0);
    }

    /** Waits for more bytes. Returns whether there are any. */
    private boolean fill() {
        while (!bytes.hasRemaining()) {
            if (!chunks.hasNext()) {
                return false;
            }
            bytes = chunks.next().bytes();
        }
        return true;
    }
}
