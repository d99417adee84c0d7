package io.libspeech;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import java.util.List;
import java.util.Objects;

/**
 * 16-bit mono samples at 22,050 Hz: what {@link SpeechAudio} and {@link SpeechChunk} have in common. Nothing of it can be changed,
 * and any number of threads may use it. Its memory is the virtual machine's: there is nothing to close.
 */
public abstract class SpeechSamples {
    /** Little-endian, at position 0. */
    private final ByteBuffer bytes;
    private final List<Word> words;
    private final List<Sentence> sentences;
    private final List<Phoneme> phonemes;
    private final List<Mark> marks;
    private final List<Viseme> visemes;

    SpeechSamples(Fields fields, ByteBuffer samples) {
        this.bytes = samples;
        this.words = fields.list("words", Word::new);
        this.sentences = fields.list("sentences", Sentence::new);
        this.phonemes = fields.list("phonemes", Phoneme::new);
        this.marks = fields.list("marks", Mark::new);
        this.visemes = fields.list("visemes", Viseme::new);
    }

    /**
     * The samples, without a copy.
     *
     * @return a direct buffer that cannot be written to, of its own position and limit
     */
    public final ShortBuffer samples() {
        return bytes().asShortBuffer();
    }

    /**
     * The samples as little-endian bytes, without a copy.
     *
     * @return a direct buffer that cannot be written to, of its own position and limit
     */
    public final ByteBuffer bytes() {
        return bytes.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * The samples in an array.
     *
     * @return a copy
     */
    public final short[] toShortArray() {
        short[] array = new short[sampleCount()];
        samples().get(array);
        return array;
    }

    /**
     * The samples as floats.
     *
     * @return a copy, from -1 to 1
     */
    public final float[] toFloatArray() {
        ShortBuffer samples = samples();
        float[] array = new float[samples.remaining()];
        for (int i = 0; i < array.length; i++) {
            array[i] = samples.get(i) / 32_768f;
        }
        return array;
    }

    /**
     * The samples as little-endian bytes in an array.
     *
     * @return a copy
     */
    public final byte[] toByteArray() {
        byte[] array = new byte[bytes.capacity()];
        bytes().get(array);
        return array;
    }

    /**
     * The samples as a RIFF/WAVE file.
     *
     * @return a copy
     */
    public final byte[] toWav() {
        byte[] file = new byte[WavFile.HEADER + bytes.capacity()];
        WavFile.header(ByteBuffer.wrap(file), bytes.capacity());
        bytes().get(file, WavFile.HEADER, bytes.capacity());
        return file;
    }

    /**
     * Writes a RIFF/WAVE file.
     *
     * @param file where it is written; one that is there is replaced
     * @throws IOException if it cannot be written
     */
    public final void save(File file) throws IOException {
        Objects.requireNonNull(file, "file");
        try (OutputStream out = new FileOutputStream(file)) {
            out.write(toWav());
        }
    }

    /**
     * The number of samples.
     *
     * @return how many there are
     */
    public final int sampleCount() {
        return bytes.capacity() / Short.BYTES;
    }

    /**
     * Samples a second.
     *
     * @return 22050
     */
    public final int sampleRate() {
        return Speech.SAMPLE_RATE;
    }

    /**
     * How long it sounds.
     *
     * @return seconds
     */
    public final double duration() {
        return (double) sampleCount() / Speech.SAMPLE_RATE;
    }

    /**
     * When each word is heard.
     *
     * @return a list that cannot be changed
     */
    public final List<Word> words() {
        return words;
    }

    /**
     * When each sentence is heard.
     *
     * @return a list that cannot be changed
     */
    public final List<Sentence> sentences() {
        return sentences;
    }

    /**
     * When each sound is heard.
     *
     * @return a list that cannot be changed
     */
    public final List<Phoneme> phonemes() {
        return phonemes;
    }

    /**
     * When each mark of SSML is reached.
     *
     * @return a list that cannot be changed
     */
    public final List<Mark> marks() {
        return marks;
    }

    /**
     * The shapes of the mouth, from the first sample to the last: closed where nothing is said.
     *
     * @return a list that cannot be changed
     */
    public final List<Viseme> visemes() {
        return visemes;
    }
}
