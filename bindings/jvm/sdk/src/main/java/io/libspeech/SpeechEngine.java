package io.libspeech;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A loaded voice bundle, ready to speak. It uses up to 190 MB: load one and share it.
 *
 * <p>Thread-safe; results do not depend on concurrent use. Speech is computed on the library's own
 * threads. Interrupting a waiting call cancels the computation and throws a {@link
 * CancelledException}. Virtual threads do not pin their carrier while they wait.
 *
 * <p>{@link #stream(String)} and {@link #streamLong(String)} read the text on the caller's thread.
 * On Android, call them off the main thread.
 *
 * <p>Any thread may close it, at any time. The garbage collector frees an unreachable engine, but
 * does not know its size: close an engine when it is no longer needed.
 *
 * <pre>{@code
 * try (SpeechEngine engine = SpeechEngine.load()) {
 *     SpeechAudio audio = engine.synthesize("Hello, world.");
 *     audio.save(new File("hello.wav"));
 * }
 * }</pre>
 */
public final class SpeechEngine implements AutoCloseable {
    private final Handle handle;
    private final int threads;
    private final String kernels;
    private final String precision;
    private volatile boolean closed;

    SpeechEngine(Fields fields) {
        this.threads = fields.intValue("threads");
        this.kernels = fields.string("kernels");
        this.precision = fields.string("precision");
        this.handle = Handle.of(this, fields);
    }

    /** Creates a call of a method of the engine. */
    private Call call(String name) {
        return new Call(name, this, handle);
    }

    private Call call(String name, String text, SpeechOptions options) {
        return call(name).put("request", ServiceRequest.json(text, options));
    }

    /**
     * Loads an engine with default options.
     *
     * @return the engine
     * @throws ModelException if the voices are missing, damaged or of another version
     */
    public static SpeechEngine load() {
        return builder().load();
    }

    /**
     * Creates a builder for an engine.
     *
     * @return a builder, with every option at its default
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The number of threads that compute one sentence.
     *
     * @return a number of threads
     */
    public int threads() {
        return threads;
    }

    /**
     * The kernels in use.
     *
     * @return their name, such as {@code avx512}
     */
    public String kernels() {
        return kernels;
    }

    /**
     * The precision of the matrix products.
     *
     * @return {@code fp32}, {@code int16} or {@code bf16}
     */
    public String precision() {
        return precision;
    }

    /**
     * Whether the engine is closed.
     *
     * @return whether it was
     */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Speaks a whole text with default options, as {@link #synthesize(String, SpeechOptions)}.
     *
     * @param text 1 to 1,000 characters, none of them NUL; a text without speakable characters
     *     results in a short silence
     * @return the speech
     */
    public SpeechAudio synthesize(String text) {
        return synthesize(text, SpeechOptions.defaults());
    }

    /**
     * Speaks a whole text.
     *
     * @param text 1 to 1,000 characters, none of them NUL; a text without speakable characters
     *     results in a short silence
     * @param options the settings
     * @return the speech
     * @throws EmptyTextException if the text is empty or only whitespace
     * @throws TextTooLongException if the text exceeds 1,000 characters
     * @throws InvalidRequestException for an unsupported value, for low latency, or if the engine
     *     is closed
     * @throws CancelledException if the thread is interrupted, or the engine is closed meanwhile
     * @throws InternalException if the computation fails
     */
    public SpeechAudio synthesize(String text, SpeechOptions options) {
        Waiter<SpeechAudio> waiter = new Waiter<>();
        return waiter.await(synthesize(text, options, waiter));
    }

    /**
     * Speaks a whole text without blocking.
     *
     * @param text the text
     * @param options the settings
     * @param callback receives the speech, or the error that {@link #synthesize(String,
     *     SpeechOptions)} throws
     * @return the call, which can be cancelled
     * @throws InvalidRequestException if the engine is closed, or the text has half a surrogate
     *     pair
     */
    public SpeechCall synthesize(String text, SpeechOptions options, SpeechCallback<? super SpeechAudio> callback) {
        Objects.requireNonNull(callback, "callback");
        Completion<SpeechAudio> completion =
                new Completion<>(
                        (fields, samples) -> new SpeechAudio(fields, Objects.requireNonNull(samples)), callback);
        long call = call("synthesize", text, options).start(completion).longValue("handle");
        return () -> new Call("cancel").put("handle", call).run();
    }

    /**
     * Speaks a whole text with default options without blocking, as {@link #synthesizeAsync(String,
     * SpeechOptions)}.
     *
     * @param text the text
     * @return the speech
     */
    @RequiresApi(24)
    public CompletableFuture<SpeechAudio> synthesizeAsync(String text) {
        return synthesizeAsync(text, SpeechOptions.defaults());
    }

    /**
     * Speaks a whole text without blocking. Cancelling the future cancels the computation. On
     * Android this needs version 7 (API 24).
     *
     * @param text the text
     * @param options the settings
     * @return the speech, or the error that {@link #synthesize(String, SpeechOptions)} throws
     */
    @RequiresApi(24)
    public CompletableFuture<SpeechAudio> synthesizeAsync(String text, SpeechOptions options) {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(options, "options");
        return Futures.start(callback -> synthesize(text, options, callback));
    }

    /**
     * Speaks a text with default options, one sentence at a time, as {@link #stream(String,
     * SpeechOptions)}.
     *
     * @param text 1 to 1,000 characters, none of them NUL
     * @return the chunks
     */
    public SpeechStream stream(String text) {
        return stream(text, SpeechOptions.defaults());
    }

    /**
     * Speaks a text, one sentence at a time. An invalid request is rejected before any computation.
     *
     * @param text 1 to 1,000 characters, none of them NUL
     * @param options the settings
     * @return the chunks
     * @throws EmptyTextException if the text is empty or only whitespace
     * @throws TextTooLongException if the text exceeds 1,000 characters
     * @throws InvalidRequestException for an unsupported value, or if the engine is closed
     */
    public SpeechStream stream(String text, SpeechOptions options) {
        return new SpeechStream(call("stream", text, options).run());
    }

    /**
     * Speaks a text of any length with default options, as {@link #streamLong(String,
     * SpeechOptions)}.
     *
     * @param text 1 character or more, none of them NUL
     * @return the chunks
     */
    public SpeechStream streamLong(String text) {
        return streamLong(text, SpeechOptions.defaults());
    }

    /**
     * Speaks a text of any length, one sentence at a time. The spans of the chunks refer to the
     * whole text: the end of a span divided by the length of the text is the progress.
     *
     * @param text 1 character or more, none of them NUL
     * @param options the settings, without SSML
     * @return the chunks
     * @throws EmptyTextException if the text is empty or only whitespace
     * @throws InvalidRequestException for an unsupported value, for SSML, or if the engine is
     *     closed
     */
    public SpeechStream streamLong(String text, SpeechOptions options) {
        return new SpeechStream(call("stream_long", text, options).run());
    }

    /**
     * Speaks a text that arrives in pieces, with default options, as {@link #live(SpeechOptions)}.
     *
     * @return the stream, which takes the pieces and returns the chunks
     */
    public LiveStream live() {
        return live(SpeechOptions.defaults());
    }

    /**
     * Speaks a text that arrives in pieces, such as the tokens of a language model, while it
     * arrives.
     *
     * @param options the settings
     * @return the stream, which takes the pieces and returns the chunks
     * @throws InvalidRequestException for an unsupported value, or if the engine is closed
     */
    public LiveStream live(SpeechOptions options) {
        return live(options, null);
    }

    /**
     * Speaks the text of an iterator with default options, as {@link #speakLive(Iterator,
     * SpeechOptions)}.
     *
     * @param pieces the text
     * @return the chunks
     */
    public LiveStream speakLive(Iterator<String> pieces) {
        return speakLive(pieces, SpeechOptions.defaults());
    }

    /**
     * Speaks the text of an iterator while it arrives. A separate thread takes the pieces, from the
     * first request for a chunk on. An exception of the iterator stops the speech, and is thrown to
     * the reader of the chunks: a {@link SpeechException} as it is, any other as the cause of a
     * {@link CancelledException}.
     *
     * @param pieces the text; {@code hasNext} may block
     * @param options the settings
     * @return the chunks
     * @throws InvalidRequestException for an unsupported value, or if the engine is closed
     */
    public LiveStream speakLive(Iterator<String> pieces, SpeechOptions options) {
        return live(options, Objects.requireNonNull(pieces, "pieces"));
    }

    private LiveStream live(SpeechOptions options, @Nullable Iterator<String> pieces) {
        return new LiveStream(call("live", "", options).run(), pieces);
    }

    /**
     * The quality levels that the voice bundle has for a voice in a language: the values of a
     * request's quality besides {@link Quality#AUTO}.
     *
     * @param voice the voice
     * @param language the language
     * @return the levels, the best first; empty if the bundle lacks the voice in this language;
     *     immutable
     * @throws InvalidRequestException if the engine is closed
     */
    public List<Quality> qualities(Voice voice, Language language) {
        return qualities(voice.id(), language.tag());
    }

    /**
     * The quality levels for a voice and a language, by name.
     *
     * @param voice the identifier of a voice
     * @param language a BCP 47 tag
     * @return the levels, the best first
     * @throws InvalidRequestException for an unsupported voice or language, or if the engine is
     *     closed
     */
    public List<Quality> qualities(String voice, String language) {
        Objects.requireNonNull(voice, "voice");
        Objects.requireNonNull(language, "language");
        List<Quality> qualities = new ArrayList<>();
        for (String quality : call("qualities").put("voice", voice).put("language", language).run().strings("qualities")) {
            qualities.add(Quality.valueOf(quality.toUpperCase(Locale.ROOT)));
        }
        return Collections.unmodifiableList(qualities);
    }

    /**
     * Synthesizes a few words and discards them, so that the first request is as fast as the
     * others. Computes nothing if the engine's cache has these words. An interrupt does not stop
     * it.
     *
     * @throws InvalidRequestException if the engine is closed
     * @throws InternalException if the computation fails
     */
    public void warmUp() {
        Waiter<Boolean> waiter = new Waiter<>();
        call("warm_up").start(new Completion<>((fields, samples) -> Boolean.TRUE, waiter));
        // It takes as long as a short sentence, and cancelling the engine's token would cancel
        // other requests.
        waiter.await(() -> {});
    }

    /**
     * Frees the scratch memory kept for the next request (up to about 64 MB), and empties the
     * cache: for when the application will not speak for a while, or memory is short. The voices
     * stay loaded, and the next request is a little slower. Running requests are not affected.
     *
     * @throws InvalidRequestException if the engine is closed
     */
    public void trim() {
        call("trim").run();
    }

    /**
     * Cancels every request and stream, and frees the voices once nothing uses them. Later requests
     * are rejected. Does not wait; idempotent.
     */
    @Override
    public void close() {
        closed = true;
        // Before the handle is closed, which lets requests continue.
        call("cancel").run();
        handle.close();
    }

    @Override
    public String toString() {
        return "SpeechEngine{threads="
                + threads
                + ", kernels="
                + kernels
                + ", precision="
                + precision
                + (closed ? ", closed}" : "}");
    }

    /** Options for loading a {@link SpeechEngine}. Every option has a default. */
    public static final class Builder {
        private static final int MAX_THREADS = 256;

        private @Nullable BundleSource bundle;
        private @Nullable Boolean mapBundle;
        private @Nullable Integer threads;
        private @Nullable Integer maxConcurrency;
        private @Nullable String kernels;
        private @Nullable String precision;
        private final List<List<String>> pronunciations = new ArrayList<>();
        private long cache;

        Builder() {}

        /**
         * The voice bundle: its directory, or a tar file of it. By default the system property
         * {@code libspeech.bundle}, then the environment variable {@code SPEECH_BUNDLE}, then the
         * dependency {@code libspeech-sdk-voices}, then the bundle in the user's cache. Of several
         * options that set a bundle, the last one counts.
         *
         * @param path the path of the bundle
         * @return this builder
         */
        public Builder bundle(File path) {
            bundle = BundleSource.path(path.getPath());
            return this;
        }

        /**
         * The voice bundle as the bytes of a tar file.
         *
         * @param tar the bytes, copied unless the buffer is direct. The memory of a direct buffer
         *     is used in place: until the engine and its streams are freed it must not be changed
         *     or freed, and a file mapped there must not be truncated, or the process may die
         * @return this builder
         */
        public Builder bundle(ByteBuffer tar) {
            bundle = BundleSource.memory(tar);
            return this;
        }

        /**
         * The voice bundle as a tar file within another file.
         *
         * @param file the other file
         * @param offset the offset of the tar file in it, in bytes
         * @param length the length of the tar file in bytes; -1 for the rest of the file
         * @return this builder
         * @throws InvalidRequestException if the offset or the length is negative
         */
        public Builder bundle(File file, long offset, long length) {
            bundle = BundleSource.partOf(file.getPath(), offset, length);
            return this;
        }

        /**
         * The voice bundle as a tar file within an open file, such as an uncompressed Android
         * asset.
         *
         * @param descriptor the file descriptor. It is duplicated when the engine is loaded; the
         *     caller keeps and closes the original
         * @param offset the offset of the tar file in it, in bytes
         * @param length the length of the tar file in bytes; -1 for the rest of the file
         * @return this builder
         * @throws InvalidRequestException if the offset or the length is negative
         */
        public Builder bundleDescriptor(int descriptor, long offset, long length) {
            bundle = BundleSource.descriptor(descriptor, offset, length);
            return this;
        }

        /**
         * Whether the bundle's large files (86 MB) are mapped into memory; otherwise they are read.
         * Processes share mapped files; but if one is truncated, or its disk fails, while the
         * engine is in use, the process dies (SIGBUS). Files that are read are memory of the
         * process, and later changes to them do not matter. By default they are mapped on Windows,
         * which refuses to truncate a mapped file, and on Android, where they are in the app's
         * package; elsewhere they are read.
         *
         * @param mapBundle whether they are mapped
         * @return this builder
         */
        public Builder mapBundle(boolean mapBundle) {
            this.mapBundle = mapBundle;
            return this;
        }

        /**
         * The number of threads that compute one sentence. By default {@code SPEECH_THREADS}, or
         * the number of processors, but at most 4.
         *
         * @param threads 1 to 256
         * @return this builder
         * @throws InvalidRequestException for another number
         */
        public Builder threads(int threads) {
            this.threads = Checks.inRange("threads", threads, 1, MAX_THREADS);
            return this;
        }

        /**
         * The number of sentences computed at the same time; others wait in a queue. By default 1.
         * On a server: the number of cores, with one thread each.
         *
         * @param maxConcurrency 1 to 256
         * @return this builder
         * @throws InvalidRequestException for another number
         */
        public Builder maxConcurrency(int maxConcurrency) {
            this.maxConcurrency = Checks.inRange("maxConcurrency", maxConcurrency, 1, MAX_THREADS);
            return this;
        }

        /**
         * The kernels to use. By default {@code auto}: the fastest that the processor supports.
         *
         * @param kernels the name, such as {@code avx2}
         * @return this builder
         */
        public Builder kernels(String kernels) {
            this.kernels = Objects.requireNonNull(kernels, "kernels");
            return this;
        }

        /**
         * The precision to use. By default {@code auto}: the fastest that the processor supports;
         * the difference is inaudible.
         *
         * @param precision {@code fp32}, {@code int16} or {@code bf16}
         * @return this builder
         */
        public Builder precision(String precision) {
            this.precision = Objects.requireNonNull(precision, "precision");
            return this;
        }

        /**
         * Adds one or more words and their reading.
         *
         * @param words the words in the text
         * @param reading IPA between slashes, such as {@code /ʃɪˈvɔːn/}, or other words
         * @return this builder
         */
        public Builder pronunciation(String words, String reading) {
            pronunciations.add(
                    Arrays.asList(Objects.requireNonNull(words, "words"), Objects.requireNonNull(reading, "reading")));
            return this;
        }

        /**
         * Adds words and their readings, as {@link #pronunciation} does.
         *
         * @param pronunciations the readings by word
         * @return this builder
         */
        public Builder pronunciations(Map<String, String> pronunciations) {
            for (Map.Entry<String, String> entry : pronunciations.entrySet()) {
                pronunciation(entry.getKey(), entry.getValue());
            }
            return this;
        }

        /**
         * The size in bytes of the cache of sentence audio, for requests that repeat sentences: 256
         * MiB hold 46 minutes. A cached sentence has the same bytes as a computed one. By default
         * 0, which disables the cache.
         *
         * @param bytes 0 or more
         * @return this builder
         * @throws InvalidRequestException for a negative number
         */
        public Builder cache(long bytes) {
            if (bytes < 0) {
                throw new InvalidRequestException("cache must not be negative");
            }
            cache = bytes;
            return this;
        }

        /**
         * Loads the engine.
         *
         * @return the engine
         * @throws ModelException if the voices are missing, damaged or of another version; {@link
         *     SpeechException#detail} and {@link SpeechException#path} give the cause
         * @throws InvalidRequestException for a pronunciation that cannot be spoken, and for
         *     kernels or a precision that the processor does not support
         * @throws CancelledException if the thread is interrupted
         */
        public SpeechEngine load() {
            Waiter<SpeechEngine> waiter = new Waiter<>();
            return waiter.await(load(waiter));
        }

        /**
         * Loads the engine without blocking.
         *
         * @param callback receives the engine, or the error that {@link #load()} throws
         * @return the call; cancelling it makes the callback fail, but loading, which takes less
         *     than a second, continues
         * @throws InvalidRequestException if an option has half a surrogate pair
         */
        public SpeechCall load(SpeechCallback<? super SpeechEngine> callback) {
            Loading loading = new Loading(Objects.requireNonNull(callback, "callback"));
            BundleSource source = bundle == null ? BundleSource.usual() : bundle;
            new Call("load")
                    .put("bundle", source.place)
                    .put("map_bundle", mapBundle)
                    .put("threads", threads)
                    .put("max_concurrency", maxConcurrency)
                    .put("kernels", kernels)
                    .put("precision", precision)
                    .put("pronunciations", pronunciations)
                    .put("cache", cache)
                    .start(source.memory, new Completion<>((fields, samples) -> new SpeechEngine(fields), loading));
            return loading;
        }

        /**
         * Loads the engine without blocking. On Android this needs version 7 (API 24).
         *
         * @return the engine, or the error that {@link #load()} throws
         */
        @RequiresApi(24)
        public CompletableFuture<SpeechEngine> loadAsync() {
            return Futures.start(this::load);
        }
    }

    /** Passes a loaded engine to the callback, or closes it if loading was cancelled. */
    private static final class Loading implements SpeechCall, SpeechCallback<SpeechEngine> {
        private final SpeechCallback<? super SpeechEngine> callback;
        private final AtomicBoolean ended = new AtomicBoolean();

        Loading(SpeechCallback<? super SpeechEngine> callback) {
            this.callback = callback;
        }

        @Override
        public void onResult(SpeechEngine engine) {
            if (ended.compareAndSet(false, true)) {
                callback.onResult(engine);
            } else {
                engine.close();
            }
        }

        @Override
        public void onError(SpeechException error) {
            if (ended.compareAndSet(false, true)) {
                callback.onError(error);
            }
        }

        @Override
        public void cancel() {
            if (ended.compareAndSet(false, true)) {
                callback.onError(new CancelledException("the loading was cancelled"));
            }
        }
    }
}
