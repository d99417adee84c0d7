package io.libspeech;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The functions of the native library, which are private to this package.
 *
 * <p>Each answers with bytes that {@link Answer} reads; the arguments are what {@link WireWriter} writes. A function of an object
 * takes its number, and the Java object that has this number: as an argument of a call it cannot be collected, and the number not
 * be freed, before the call returns.
 */
final class Native {
    private static final Native INSTANCE = new Native();

    private Native() {}

    /** The functions, once the library is loaded. */
    static Native get() {
        NativeLibrary.require();
        return INSTANCE;
    }

    native byte[] load(byte[] options, @Nullable ByteBuffer memory, Completion<?> completion);

    native byte[] synthesize(SpeechEngine owner, long engine, byte[] request, Completion<?> completion);

    native void cancel(long call);

    native byte[] stream(SpeechEngine owner, long engine, byte[] request);

    native byte[] live(SpeechEngine owner, long engine, byte[] request);

    native byte[] streamLong(SpeechEngine owner, long engine, byte[] request);

    native byte[] qualities(SpeechEngine owner, long engine, byte[] arguments);

    native byte[] warmUp(SpeechEngine owner, long engine, Completion<?> completion);

    native byte[] trim(SpeechEngine owner, long engine);

    native void closeEngine(long engine);

    native void freeEngine(long engine);

    native byte[] nextChunk(ChunkStream owner, long stream, Completion<?> completion);

    native void closeStream(long stream);

    native void freeStream(long stream);

    native byte[] push(LiveStream owner, long stream, byte[] piece);

    native void flush(LiveStream owner, long stream);

    native void finishText(LiveStream owner, long stream);

    native boolean isFull(LiveStream owner, long stream);

    native int heardAt(LiveStream owner, long stream, double seconds);

    native byte[] liveState(LiveStream owner, long stream);

    native byte[] parseRequest(byte[] json);

    native byte[] validate(byte[] request);

    native byte[] splitText(byte[] arguments);

    native byte[] newSegmenter();

    native byte[] segment(Segmenter owner, long segmenter, byte[] piece);

    native byte[] finishSegmenter(Segmenter owner, long segmenter);

    native void freeSegmenter(long segmenter);

    native byte[] newInspector(byte[] options);

    native byte[] inspect(Inspector owner, long inspector, byte[] arguments);

    native void freeInspector(long inspector);

    native byte[] voices();

    native byte[] tierTable();

    native byte[] tiers(byte[] contexts);

    native byte[] resolveTier(byte[] arguments);

    native byte[] rankTiers(byte[] arguments);

    native byte[] charge(byte[] arguments);

    native byte[] chargeSamples(byte[] arguments);

    native byte[] errors();
}
