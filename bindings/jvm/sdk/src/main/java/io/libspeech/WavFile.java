package io.libspeech;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The header of a RIFF/WAVE file. */
final class WavFile {
    /** Its length in bytes. */
    static final int HEADER = 44;

    private static final short INTEGER_PCM = 1;
    private static final short CHANNELS = 1;

    private WavFile() {}

    /** Writes the header of a file with so many bytes of samples. */
    static void header(ByteBuffer file, int bytes) {
        file.order(ByteOrder.LITTLE_ENDIAN);
        file.put(ascii("RIFF")).putInt(HEADER - 8 + bytes);
        file.put(ascii("WAVEfmt ")).putInt(16);
        file.putShort(INTEGER_PCM).putShort(CHANNELS);
        file.putInt(Speech.SAMPLE_RATE).putInt(Speech.SAMPLE_RATE * Short.BYTES);
        file.putShort((short) Short.BYTES).putShort((short) Short.SIZE);
        file.put(ascii("data")).putInt(bytes);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }
}
