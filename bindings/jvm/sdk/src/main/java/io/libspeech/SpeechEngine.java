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
 * A loaded voice bundle, ready to speak. It holds some 200 MB: load one, and share it.
 *
 * <p>Any number of threads may use it at once, and its answers do not depend on that. Speech is computed on threads of the library's
 * own. A call that waits for it can be interrupted: that stops the computation, and throws a {@link CancelledException}. Virtual
 * threads do not hold their carrier while they wait.
 *
 * <p>{@link #stream(String)} and {@link #streamLong(String)} read the text on the thread of their caller. On Android, call
 * them on another thread than the main one.
 *
 * <p>Any thread may close it, at any time. An engine that can no longer be reached is freed by the garbage collector, which does not
 * know how much it holds: close what is not needed any more.
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

    /** A call of a function of the engine. */
    private Call call(String name) {
        return new Call(name, this, handle);
    }

    private Call call(String name, String text, SpeechOptions options) {
        return call(name).put("request", ServiceRequest.json(text, options));
    }

    /**
     * Loads an engine with every option at its default.
     *
     * @return the engine
     * @throws ModelException if the voices are missing, damaged or of another version
     */
    public static SpeechEngine load() {
        return builder().load();
    }

    /**
     * Options for loading an engine.
     *
     * @return a builder, with every option at its default
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The threads that one sentence is computed with.
     *
     * @return a number of threads
     */
    public int threads() {
        return threads;
    }

    /**
     * The kernels that speech is computed with.
     *
     * @return their name, such as {@code avx512}
     */
    public String kernels() {
        return kernels;
    }

    /**
     * The precision that the matrix products are computed in.
     *
     * @return {@code fp32}, {@code int16} or {@code bf16}
     */
    public String precision() {
        return precision;
    }

    /**
     * Whether it was closed.
     *
     * @return whether it was
     */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Speaks a whole text, as {@link #synthesize(String, SpeechOptions)} with every option at its default.
     *
     * @param text 1 to 1,000 characters, none of them NUL; one with nothing to say gives a short silence
     * @return the speech
     */
    public SpeechAudio synthesize(String text) {
        return synthesize(text, SpeechOptions.defaults());
    }

    /**
     * Speaks a whole text.
     *
     * @param text 1 to 1,000 characters, none of them NUL; one with nothing to say gives a short silence
     * @param options how it is spoken
     * @return the speech
     * @throws EmptyTextException if the text is empty, or only white space
     * @throws TextTooLongException if the text is over 1,000 characters
     * @throws InvalidRequestException for an unsupported value, for low latency, and if the engine is closed
     * @throws CancelledException if the thread is interrupted, or the engine closed meanwhile
     * @throws InternalException if the computation fails
     */
    public SpeechAudio synthesize(String text, SpeechOptions options) {
        Waiter<SpeechAudio> waiter = new Waiter<>();
        return waiter.await(synthesize(text, options, waiter));
    }

    /**
     * Speaks a whole text without waiting for it.
     *
     * @param text the text
     * @param options how it is spoken
     * @param callback gets the speech, or the error that {@link #synthesize(String, SpeechOptions)} throws
     * @return what stops it
     * @throws InvalidRequestException if the engine is closed, or the text has half a surrogate pair
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
     * Speaks a whole text without waiting for it, as {@link #synthesizeAsync(String, SpeechOptions)} with every option at its
     * default.
     *
     * @param text the text
     * @return the speech
     */
    @RequiresApi(24)
    public CompletableFuture<SpeechAudio> synthesizeAsync(String text) {
        return synthesizeAsync(text, SpeechOptions.defaults());
    }

    /**
     * Speaks a whole text without waiting for it. Cancelling the future stops the computation. On Android it needs version 7 (API
     * 24).
     *
     * @param text the text
     * @param options how it is spoken
     * @return the speech, or the error that {@link #synthesize(String, SpeechOptions)} throws
     */
    @RequiresApi(24)
    public CompletableFuture<SpeechAudio> synthesizeAsync(String text, SpeechOptions options) {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(options, "options");
        return Futures.start(callback -> synthesize(text, options, callback));
    }

    /**
     * Speaks a text a sentence at a time, as {@link #stream(String, SpeechOptions)} with every option at its default.
     *
     * @param text 1 to 1,000 characters, none of them NUL
     * @return the chunks
     */
    public SpeechStream stream(String text) {
        return stream(text, SpeechOptions.defaults());
    }

    /**
     * Speaks a text a sentence at a time. A request that is refused is so before anything is computed.
     *
     * @param text 1 to 1,000 characters, none of them NUL
     * @param options how it is spoken
     * @return the chunks
     * @throws EmptyTextException if the text is empty, or only white space
     * @throws TextTooLongException if the text is over 1,000 characters
     * @throws InvalidRequestException for an unsupported value, and if the engine is closed
     */
    public SpeechStream stream(String text, SpeechOptions options) {
        return new SpeechStream(call("stream", text, options).run());
    }

    /**
     * Speaks a text of any length, as {@link #streamLong(String, SpeechOptions)} with every option at its default.
     *
     * @param text 1 character or more, none of them NUL
     * @return the chunks
     */
    public SpeechStream streamLong(String text) {
        return streamLong(text, SpeechOptions.defaults());
    }

    /**
     * Speaks a text of any length, a sentence at a time. The spans of its chunks are in the whole text: the end of a span over the
     * length of the text is the progress.
     *
     * @param text 1 character or more, none of them NUL
     * @param options how it is spoken; no SSML
     * @return the chunks
     * @throws EmptyTextException if the text is empty, or only white space
     * @throws InvalidRequestException for an unsupported value, for SSML, and if the engine is closed
     */
    public SpeechStream streamLong(String text, SpeechOptions options) {
        return new SpeechStream(call("stream_long", text, options).run());
    }

    /**
     * Speaks a text that arrives in pieces, as {@link #live(SpeechOptions)} with every option at its default.
     *
     * @return what takes the pieces, and gives the chunks
     */
    public LiveStream live() {
        return live(SpeechOptions.defaults());
    }

    /**
     * Speaks a text that arrives in pieces, such as the tokens of a language model, while it arrives.
     *
     * @param options how it is spoken
     * @return what takes the pieces, and gives the chunks
     * @throws InvalidRequestException for an unsupported value, and if the engine is closed
     */
    public LiveStream live(SpeechOptions options) {
        return live(options, null);
    }

    /**
     * Speaks the text that an iterator gives, as {@link #speakLive(Iterator, SpeechOptions)} with every option at its default.
     *
     * @param pieces the text
     * @return the chunks
     */
    public LiveStream speakLive(Iterator<String> pieces) {
        return speakLive(pieces, SpeechOptions.defaults());
    }

    /**
     * Speaks the text that an iterator gives, while it arrives. Its pieces are taken as they come, on a thread of their own, from
     * the first chunk that is asked for. What it throws stops the speech, and is thrown to the reader of the chunks: a {@link
     * SpeechException} as it is, anything else as the cause of a {@link CancelledException}.
     *
     * @param pieces the text; {@code hasNext} may wait
     * @param options how it is spoken
     * @return the chunks
     * @throws InvalidRequestException for an unsupported value, and if the engine is closed
     */
    public LiveStream speakLive(Iterator<String> pieces, SpeechOptions options) {
        return live(options, Objects.requireNonNull(pieces, "pieces"));
    }

    private LiveStream live(SpeechOptions options, @Nullable Iterator<String> pieces) {
        return new LiveStream(call("live", "", options).run(), pieces);
    }

    /**
     * The qualities that the voice bundle has for a voice in a language: what the quality of a request may be, beside {@link
     * Quality#AUTO}.
     *
     * @param voice the voice
     * @param language the language
     * @return the qualities, the best first; none if the bundle lacks the voice in this language. The list cannot be changed
     * @throws InvalidRequestException if the engine is closed
     */
    public List<Quality> qualities(Voice voice, Language language) {
        return qualities(voice.id(), language.tag());
    }

    /**
     * The same of a voice and a language by their names.
     *
     * @param voice the identifier of a voice
     * @param language a BCP 47 tag
     * @return the qualities, the best first
     * @throws InvalidRequestException for an unsupported voice or language, and if the engine is closed
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
     * Synthesizes a few words and discards them, so that the first request finds everything in memory. With a cache that has
     * them, nothing is computed. An interrupt does not stop it.
     *
     * @throws InvalidRequestException if the engine is closed
     * @throws InternalException if the computation fails
     */
    public void warmUp() {
        Waiter<Boolean> waiter = new Waiter<>();
        call("warm_up").start(new Completion<>((fields, samples) -> Boolean.TRUE, waiter));
        // It takes as long as a short sentence; to stop it would stop others.
        waiter.await(() -> {});
    }

    /**
     * Returns the working memory to the system that is kept for the next request, up to some 64 MB, and empties the cache: for
     * when nothing is going to be said for a while, or memory is short. The voices stay, and the next request is a little slower.
     * Requests that run keep what they use.
     *
     * @throws InvalidRequestException if the engine is closed
     */
    public void trim() {
        call("trim").run();
    }

    /**
     * Cancels every request and stream, and frees the voices once nothing uses them. Later requests are refused. It does not wait,
     * and does nothing the second time.
     */
    @Override
    public void close() {
        closed = true;
        // Before the handle, which lets requests go on.
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

    /** How to load a {@link SpeechEngine}. Every option has a default. */
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
         * The voice bundle: its directory, or a tar file of it. By default the system property {@code libspeech.bundle}, then the
         * environment variable {@code SPEECH_BUNDLE}, then the dependency {@code libspeech-sdk-voices}, then the one in the user's
         * cache. The last of the options that name a bundle counts.
         *
         * @param path where it is
         * @return this builder
         */
        public Builder bundle(File path) {
            bundle = BundleSource.path(path.getPath());
            return this;
        }

        /**
         * The voice bundle as the bytes of a tar file.
         *
         * @param tar the bytes, which are copied if the buffer is not a direct one. The memory of a direct buffer is used where it
         *     is: until the engine and its streams are freed it must be neither changed nor freed, nor may a file that is mapped
         *     there be truncated, or the process may end
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
         * @param offset where the tar file begins in it
         * @param length how many bytes it has; -1 for all to the end
         * @return this builder
         * @throws InvalidRequestException if the offset or the length is negative
         */
        public Builder bundle(File file, long offset, long length) {
            bundle = BundleSource.partOf(file.getPath(), offset, length);
            return this;
        }

        /**
         * The voice bundle as a tar file within a file that is open: an asset of Android that is stored uncompressed is one.
         *
         * @param descriptor the number of the file descriptor, which is duplicated when the engine is loaded, and stays the
         *     caller's
         * @param offset where the tar file begins in it
         * @param length how many bytes it has; -1 for all to the end
         * @return this builder
         * @throws InvalidRequestException if the offset or the length is negative
         */
        public Builder bundleDescriptor(int descriptor, long offset, long length) {
            bundle = BundleSource.descriptor(descriptor, offset, length);
            return this;
        }

        /**
         * Whether the large files of the bundle, 86 MB, are mapped into memory, or else read into it. Mapped, processes share them;
         * but if one is truncated, or its disk fails, while the engine is in use, the process ends (SIGBUS). Read, they are memory
         * of the process, and what happens to the files later does not matter. By default they are mapped on Windows, which
         * refuses to truncate a mapped file, and on Android, where they are in the package of the app; elsewhere they are read.
         *
         * @param mapBundle whether they are mapped
         * @return this builder
         */
        public Builder mapBundle(boolean mapBundle) {
            this.mapBundle = mapBundle;
            return this;
        }

        /**
         * The threads that one sentence is computed with. By default {@code SPEECH_THREADS}, or the processor's, but 4 at most.
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
         * How many sentences may be computed at once; further ones wait in a queue. By default 1. For a server: as many as there are
         * cores, with one thread each.
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
         * The kernels to compute with. By default {@code auto}: the fastest that the processor supports.
         *
         * @param kernels their name, such as {@code avx2}
         * @return this builder
         */
        public Builder kernels(String kernels) {
            this.kernels = Objects.requireNonNull(kernels, "kernels");
            return this;
        }

        /**
         * The precision to compute in. By default {@code auto}: the fastest that the processor has, which makes no audible
         * difference.
         *
         * @param precision {@code fp32}, {@code int16} or {@code bf16}
         * @return this builder
         */
        public Builder precision(String precision) {
            this.precision = Objects.requireNonNull(precision, "precision");
            return this;
        }

        /**
         * A word, or several, and how to read them.
         *
         * @param words what the text has
         * @param reading IPA between slashes, such as {@code /ʃɪˈvɔːn/}, or other words
         * @return this builder
         */
        public Builder pronunciation(String words, String reading) {
            pronunciations.add(
                    Arrays.asList(Objects.requireNonNull(words, "words"), Objects.requireNonNull(reading, "reading")));
            return this;
        }

        /**
         * Words, and how to read them, as {@link #pronunciation} takes them.
         *
         * @param pronunciations readings by words
         * @return this builder
         */
        public Builder pronunciations(Map<String, String> pronunciations) {
            for (Map.Entry<String, String> entry : pronunciations.entrySet()) {
                pronunciation(entry.getKey(), entry.getValue());
            }
            return this;
        }

        /**
         * How many bytes of sound are kept for requests that repeat a sentence: 256 MiB hold 46 minutes. A cached sentence has the same
         * bytes as a computed one. By default nothing is kept.
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
         * @throws ModelException if the voices are missing, damaged or of another version; {@link SpeechException#detail} and {@link
         *     SpeechException#path} say more
         * @throws InvalidRequestException for a pronunciation that cannot be said, and for kernels or a precision that the processor
         *     cannot compute with
         * @throws CancelledException if the thread is interrupted
         */
        public SpeechEngine load() {
            Waiter<SpeechEngine> waiter = new Waiter<>();
            return waiter.await(load(waiter));
        }

        /**
         * Loads the engine without waiting for it.
         *
         * @param callback gets the engine, or the error that {@link #load()} throws
         * @return what makes the callback fail; the loading itself, which takes less than a second, goes on
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
         * Loads the engine without waiting for it. On Android it needs version 7 (API 24).
         *
         * @return the engine, or the error that {@link #load()} throws
         */
        @RequiresApi(24)
        public CompletableFuture<SpeechEngine> loadAsync() {
            return Futures.start(this::load);
        }
    }

    /** Passes an engine on, unless nobody waits for it any more. */
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
