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
 * Mono samples: the common base of {@link SpeechAudio} and {@link SpeechChunk}. Immutable and
 * thread-safe. The memory belongs to the virtual machine: there is nothing to close.
 */
public abstract class SpeechSamples {
    /** The 16-bit samples, little-endian, at position 0. */
    private final ByteBuffer pcm;
    /** The samples in the encoding; the same buffer for {@code pcm16}. */
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
     * The 16-bit samples, not copied.
     *
     * @return a read-only direct buffer, with its own position and limit
     */
    public final ShortBuffer samples() {
        return pcm.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN).asShortBuffer();
    }

    /**
     * The samples as bytes in the {@link #encoding}, little-endian, not copied.
     *
     * @return a read-only direct buffer, with its own position and limit
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
     * @param file the path of the file; an existing file is replaced
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
     * @return the number
     */
    public final int sampleCount() {
        return pcm.capacity() / Short.BYTES;
    }

    /**
     * The sample rate.
     *
     * @return the rate in hertz
     */
    public final int sampleRate() {
        return sampleRate;
    }

    /**
     * The encoding of the samples in bytes and files.
     *
     * @return the encoding
     */
    public final Encoding encoding() {
        return encoding;
    }

    /**
     * The duration.
     *
     * @return the duration in seconds
     */
    public final double duration() {
        return (double) sampleCount() / sampleRate;
    }

    /**
     * The timestamps of the words.
     *
     * @return an immutable list
     */
    public final List<Word> words() {
        return words;
    }

    /**
     * The timestamps of the sentences.
     *
     * @return an immutable list
     */
    public final List<Sentence> sentences() {
        return sentences;
    }

    /**
     * The timestamps of the phonemes.
     *
     * @return an immutable list
     */
    public final List<Phoneme> phonemes() {
        return phonemes;
    }

    /**
     * The timestamps of the SSML marks.
     *
     * @return an immutable list
     */
    public final List<Mark> marks() {
        return marks;
    }

    /**
     * The timestamps of the visemes, from the first sample to the last: the mouth is closed during
     * silence.
     *
     * @return an immutable list
     */
    public final List<Viseme> visemes() {
        return visemes;
    }
}
