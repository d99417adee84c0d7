package io.libspeech;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** RIFF/WAVE files. */
final class WavFile {
    private static final short CHANNELS = 1;

    private WavFile() {}

    /** Creates a file. {@code bytes} contains the encoded samples. */
    static byte[] of(ByteBuffer bytes, int samples, int sampleRate, Encoding encoding) {
        int length = bytes.remaining();
        int bytesPerSample = bytesPerSample(encoding);
        // Formats other than integer PCM need an empty extension and the number of samples.
        boolean isPcm = encoding == Encoding.PCM16;
        int header = isPcm ? 44 : 58;
        int padding = length % 2;
        ByteBuffer file = ByteBuffer.allocate(header + length + padding).order(ByteOrder.LITTLE_ENDIAN);
        file.put(ascii("RIFF")).putInt(file.capacity() - 8);
        file.put(ascii("WAVEfmt ")).putInt(isPcm ? 16 : 18);
        file.putShort(format(encoding)).putShort(CHANNELS);
        file.putInt(sampleRate).putInt(sampleRate * bytesPerSample);
        file.putShort((short) bytesPerSample).putShort((short) (8 * bytesPerSample));
        if (!isPcm) {
            file.putShort((short) 0);
            file.put(ascii("fact")).putInt(4).putInt(samples);
        }
        file.put(ascii("data")).putInt(length).put(bytes);
        return file.array();
    }

    private static short format(Encoding encoding) {
        switch (encoding) {
            case PCM16:
                return 1;
            case FLOAT32:
                return 3;
            case ALAW:
                return 6;
            default:
                return 7;
        }
    }

    private static int bytesPerSample(Encoding encoding) {
        switch (encoding) {
            case PCM16:
                return 2;
            case FLOAT32:
                return 4;
            default:
                return 1;
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
