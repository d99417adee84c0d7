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
 * Mono samples: what {@link SpeechAudio} and {@link SpeechChunk} have in common. Nothing of it can be changed,
 * and any number of threads may use it. Its memory is the virtual machine's: there is nothing to close.
 */
public abstract class SpeechSamples {
    /** Of 16 bits, little-endian, at position 0. */
    private final ByteBuffer pcm;
    /** In the encoding; the same buffer if that is it. */
    private final ByteBuffer bytes;
    private final int sampleRate;
    private final Encoding encoding;
    private final List<Word> words;
    private final List<Sentence> sentences;
    private final List<Phoneme> phonemes;
    private final List<Mark> marks;
    private final List<Viseme> visemes;

    SpeechSamples(Fields fields, ByteBuffer sound) {
        this.sampleRate = fields.intValue("sample_rate");
        this.encoding = Encoding.of(fields.string("encoding"));
        int end = Short.BYTES * fields.intValue("samples");
        this.pcm = part(sound, 0, end);
        this.bytes = encoding == Encoding.PCM16 ? pcm : part(sound, end, sound.capacity());
        this.words = fields.list("words", Word::new);
        this.sentences = fields.list("sentences", Sentence::new);
        this.phonemes = fields.list("phonemes", Phoneme::new);
        this.marks = fields.list("marks", Mark::new);
        this.visemes = fields.list("visemes", Viseme::new);
    }

    private static ByteBuffer part(ByteBuffer buffer, int start, int end) {
        ByteBuffer part = buffer.duplicate();
        part.position(start).limit(end);
        return part.slice();
    }

    /**
     * The samples, of 16 bits, without a copy.
     *
     * @return a direct buffer that cannot be written to, of its own position and limit
     */
    public final ShortBuffer samples() {
        return pcm.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN).asShortBuffer();
    }

    /**
     * The samples as bytes in the {@link #encoding}, little-endian, without a copy.
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
     * The samples as bytes in the {@link #encoding}, little-endian, in an array.
     *
     * @return a copy
     */
    public final byte[] toByteArray() {
        byte[] array = new byte[bytes.capacity()];
        bytes().get(array);
        return array;
    }

    /**
     * The samples as a RIFF/WAVE file in the {@link #encoding}.
     *
     * @return a copy
     */
    public final byte[] toWav() {
        return WavFile.of(bytes(), sampleCount(), sampleRate, encoding);
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
        return pcm.capacity() / Short.BYTES;
    }

    /**
     * Samples a second.
     *
     * @return in hertz
     */
    public final int sampleRate() {
        return sampleRate;
    }

    /**
     * What a sample is in the bytes and in the file.
     *
     * @return the encoding
     */
    public final Encoding encoding() {
        return encoding;
    }

    /**
     * How long it sounds.
     *
     * @return seconds
     */
    public final double duration() {
        return (double) sampleCount() / sampleRate;
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
