package io.libspeech;

import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Finds the bytes of a file stored uncompressed in a zip archive; the Java classes do not expose
 * their offset.
 */
final class StoredEntry {
    private static final int END = 0x06054b50;
    private static final int END_LENGTH = 22;
    private static final int MAX_COMMENT = 0xffff;
    private static final int CENTRAL = 0x02014b50;
    private static final int CENTRAL_LENGTH = 46;
    private static final int LOCAL = 0x04034b50;
    private static final int LOCAL_LENGTH = 30;
    /** The placeholder for an offset over 4 GB, which is stored elsewhere. */
    private static final long ELSEWHERE = 0xffffffffL;

    private StoredEntry() {}

    /**
     * The offset of the bytes of an entry; -1 if it is missing, or the archive is not a plain one
     * (such as ZIP64).
     */
    static long offset(File archive, String name) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(archive, "r")) {
            int tail = (int) Math.min(file.length(), END_LENGTH + MAX_COMMENT);
            ByteBuffer end = read(file, file.length() - tail, tail);
            for (int at = tail - END_LENGTH; at >= 0; at--) {
                if (end.getInt(at) == END) {
                    long length = end.getInt(at + 12) & ELSEWHERE;
                    long start = end.getInt(at + 16) & ELSEWHERE;
                    return start == ELSEWHERE ? -1 : search(file, read(file, start, (int) length), name);
                }
            }
            return -1;
        } catch (EOFException | IndexOutOfBoundsException notPlain) {
            return -1;
        }
    }

    private static long search(RandomAccessFile file, ByteBuffer directory, String name) throws IOException {
        byte[] wanted = name.getBytes(StandardCharsets.UTF_8);
        int at = 0;
        while (at + CENTRAL_LENGTH <= directory.capacity() && directory.getInt(at) == CENTRAL) {
            int nameLength = directory.getShort(at + 28) & 0xffff;
            int rest = (directory.getShort(at + 30) & 0xffff) + (directory.getShort(at + 32) & 0xffff);
            if (equal(directory, at + CENTRAL_LENGTH, nameLength, wanted)) {
                return afterHeader(file, directory.getInt(at + 42) & ELSEWHERE);
            }
            at += CENTRAL_LENGTH + nameLength + rest;
        }
        return -1;
    }

    private static boolean equal(ByteBuffer directory, int at, int length, byte[] wanted) {
        if (length != wanted.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (directory.get(at + i) != wanted[i]) {
                return false;
            }
        }
        return true;
    }

    /** The end of the local header, whose lengths may differ from those in the directory. */
    private static long afterHeader(RandomAccessFile file, long header) throws IOException {
        ByteBuffer local = read(file, header, LOCAL_LENGTH);
        if (header == ELSEWHERE || local.getInt(0) != LOCAL) {
            return -1;
        }
        return header + LOCAL_LENGTH + (local.getShort(26) & 0xffff) + (local.getShort(28) & 0xffff);
    }

    private static ByteBuffer read(RandomAccessFile file, long offset, int length) throws IOException {
        if (offset < 0 || length < 0 || offset + length > file.length()) {
            throw new EOFException("the archive is cut off");
        }
        byte[] bytes = new byte[length];
        file.seek(offset);
        file.readFully(bytes);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
