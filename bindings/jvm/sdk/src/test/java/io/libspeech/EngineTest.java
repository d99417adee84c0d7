package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Loading, using and closing engines. */
@Timeout(120)
class EngineTest {
    @TempDir Path folder;

    /** The bundle of the fake model as a tar file. */
    private File tar() throws Exception {
        File tar = folder.resolve("bundle.tar").toFile();
        Support.run(new ProcessBuilder("tar", "-cf", tar.getPath(), "-C", Support.fakeBundle().getPath(), "."));
        return tar;
    }

    @Test
    void aBundleMayBeInManyPlaces() throws Exception {
        File tar = tar();
        byte[] bytes = Files.readAllBytes(tar.toPath());
        File other = folder.resolve("other").toFile();
        try (OutputStream out = new FileOutputStream(other)) {
            out.write(new byte[4096]);
            out.write(bytes);
            out.write(new byte[100]);
        }
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        List<SpeechEngine.Builder> builders =
                List.of(
                        SpeechEngine.builder().bundle(Support.fakeBundle()),
                        SpeechEngine.builder().bundle(tar),
                        SpeechEngine.builder().bundle(ByteBuffer.wrap(bytes)),
                        SpeechEngine.builder().bundle(direct),
                        SpeechEngine.builder().bundle(tar, 0, -1),
                        SpeechEngine.builder().bundle(other, 4096, bytes.length));
        byte[] expected = null;
        for (SpeechEngine.Builder builder : builders) {
            try (SpeechEngine engine = builder.load()) {
                byte[] spoken = engine.synthesize(Support.TEXT).toByteArray();
                expected = expected == null ? spoken : expected;
                assertArrayEquals(expected, spoken);
            }
        }
        Support.refused(
                InvalidRequestException.class, "negative", () -> SpeechEngine.builder().bundle(tar, -1, 5));
        Support.refused(
                InvalidRequestException.class, "negative", () -> SpeechEngine.builder().bundle(tar, 0, -2));
    }

    @Test
    void aBundleMayBeInAnOpenFile() throws Exception {
        File tar = tar();
        try (FileInputStream in = new FileInputStream(tar)) {
            int descriptor = descriptorOfTar();
            try (SpeechEngine engine =
                    SpeechEngine.builder().bundleDescriptor(descriptor, 0, tar.length()).load()) {
                assertTrue(engine.synthesize(Support.TEXT).sampleCount() > 0);
            }
            // The caller still owns it.
            assertTrue(in.read() >= 0);
        }
        for (int descriptor : new int[] {-1, 987_654}) {
            Support.refused(
                    InvalidRequestException.class,
                    "descriptor",
                    () -> SpeechEngine.builder().bundleDescriptor(descriptor, 0, -1).load());
        }
    }

    /** The descriptor of the file that this process has open, which Java does not expose. */
    private static int descriptorOfTar() throws Exception {
        Path descriptors = Path.of("/proc/self/fd");
        try (var entries = Files.list(descriptors)) {
            return entries.filter(EngineTest::isTar)
                    .mapToInt(entry -> Integer.parseInt(entry.getFileName().toString()))
                    .max()
                    .orElseThrow();
        }
    }

    private static boolean isTar(Path entry) {
        try {
            return Files.readSymbolicLink(entry).toString().endsWith("bundle.tar");
        } catch (java.io.IOException gone) {
            return false;
        }
    }

    @Test
    void optionsHaveAnEffect() {
        try (SpeechEngine engine = Support.fake().threads(3).kernels("portable").precision("fp32").load()) {
            assertEquals(3, engine.threads());
            assertEquals("portable", engine.kernels());
            assertEquals("fp32", engine.precision());
            SpeechAudio audio = engine.synthesize("Hello.");
            assertEquals("portable", audio.kernels());
            assertEquals("fp32", audio.precision());
            assertTrue(engine.toString().contains("portable") && !engine.toString().contains("closed"));
        }
    }

    @Test
    void bundlesAreMappedOrRead() {
        try (SpeechEngine mapped = Support.fake().mapBundle(true).load();
                SpeechEngine read = Support.fake().mapBundle(false).load()) {
            assertEquals(mapped.synthesize("Hello.").samples(), read.synthesize("Hello.").samples());
        }
    }

    @Test
    void optionsAreRefused() {
        Support.refused(
                InvalidRequestException.class,
                "threads must be a whole number from 1 to 256",
                () -> SpeechEngine.builder().threads(0));
        Support.refused(
                InvalidRequestException.class,
                "maxConcurrency must be a whole number from 1 to 256",
                () -> SpeechEngine.builder().maxConcurrency(257));
        Support.refused(InvalidRequestException.class, "sse9", () -> Support.fake().kernels("sse9").load());
        Support.refused(InvalidRequestException.class, "fp8", () -> Support.fake().precision("fp8").load());
        Support.refused(
                InvalidRequestException.class,
                "entry 2: the pronunciation: character 2 of it is not a phoneme symbol",
                () -> Support.fake().pronunciation("fine", "fine").pronunciation("word", "/b9/").load());
        Support.refused(
                InvalidRequestException.class,
                "half a surrogate pair at index 1",
                () -> Support.fake().bundle(new File("a\ud83d")).load());
        assertThrows(NullPointerException.class, () -> SpeechEngine.builder().kernels(null));
    }

    @Test
    void pronunciationsAreUsed() {
        SpeechAudio usual;
        try (SpeechEngine engine = Support.fake().load()) {
            usual = engine.synthesize("Siobhan runs kubectl.");
        }
        Map<String, String> readings = Map.of("Siobhan", "/ʃɪˈvɔːn/", "kubectl", "cube control");
        try (SpeechEngine engine = Support.fake().pronunciations(readings).load()) {
            SpeechAudio audio = engine.synthesize("Siobhan runs kubectl.");
            assertNotEquals(usual.phonemes(), audio.phonemes());
            assertEquals("ʃ", audio.phonemes().get(0).ipa());
        }
        try (SpeechEngine engine = Support.fake().load()) {
            SpeechOptions options = SpeechOptions.builder().pronunciations(readings).build();
            assertEquals("ʃ", engine.synthesize("Siobhan runs kubectl.", options).phonemes().get(0).ipa());
            assertEquals(usual.phonemes(), engine.synthesize("Siobhan runs kubectl.").phonemes());
            Support.refused(
                    InvalidRequestException.class,
                    "entry 2: the pronunciation: character 2 of it is not a phoneme symbol",
                    () -> engine.synthesize(
                            "a",
                            SpeechOptions.builder()
                                    .pronunciation("fine", "fine")
                                    .pronunciation("word", "/b9/")
                                    .build()));
        }
    }

    private static final String PLS =
            "<lexicon version='1.0' alphabet='ipa' xml:lang='en'>"
                    + "<lexeme><grapheme>Siobhan</grapheme><phoneme>ʃɪˈvɔːn</phoneme></lexeme></lexicon>";

    @Test
    void lexiconsOfRequests() {
        Lexicon lines = Lexicon.parse("# Tools and people\n\nkubectl\tcube control\nSiobhan\tsomebody\n");
        Lexicon pls = Lexicon.fromPls(PLS);
        assertEquals(List.of(2, 1, 0), List.of(lines.size(), pls.size(), Lexicon.parse("").size()));
        SpeechOptions options = SpeechOptions.builder().lexicon(pls).lexicon(lines).build();
        assertEquals(List.of(pls, lines), options.lexicons());
        SpeechOptions swapped = SpeechOptions.builder().lexicon(lines).lexicon(pls).build();
        String text = "Siobhan runs kubectl.";
        try (SpeechEngine engine = Support.fake().load();
                SpeechEngine other = Support.fake().load()) {
            byte[] expected = engine.synthesize("[Siobhan](/ʃɪˈvɔːn/) runs cube control.").toByteArray();
            byte[] somebody = engine.synthesize("somebody runs cube control.").toByteArray();
            assertArrayEquals(expected, engine.synthesize(text, options).toByteArray());
            assertArrayEquals(expected, other.synthesize(text, options).toByteArray());
            assertArrayEquals(somebody, engine.synthesize(text, swapped).toByteArray());
            SpeechOptions own = options.toBuilder().pronunciation("Siobhan", "somebody").build();
            assertArrayEquals(somebody, engine.synthesize(text, own).toByteArray());
            assertArrayEquals(expected, Support.joined(engine.stream(text, options)));
            byte[] inline = Support.joined(engine.streamLong("[Siobhan](/ʃɪˈvɔːn/) runs cube control."));
            assertArrayEquals(inline, Support.joined(engine.streamLong(text, options)));
            assertArrayEquals(inline, Support.joined(engine.speakLive(List.of(text).iterator(), options)));
        }
        ServiceRequest.of(text, options).validate();
    }

    @Test
    void lexiconsThatAreRefused() {
        Class<InvalidRequestException> refused = InvalidRequestException.class;
        Support.refused(refused, "line 2: no tab between", () -> Lexicon.parse("a\tb\nword"));
        Support.refused(refused, "line 1: reading has a NUL character", () -> Lexicon.parse("a\tb\0"));
        Support.refused(refused, "text has half a surrogate pair at index 1", () -> Lexicon.parse("a\ud83d"));
        Support.refused(refused, "PLS line 1, column 1: the first element must", () -> Lexicon.fromPls("<speak/>"));
        Support.refused(
                refused,
                "PLS line 2, column 1: 'lexicon' needs the attribute 'version'",
                () -> Lexicon.fromPls("\n<lexicon/>"));
        assertThrows(NullPointerException.class, () -> Lexicon.parse(null));
        assertThrows(NullPointerException.class, () -> Lexicon.fromPls(null));
        assertThrows(NullPointerException.class, () -> SpeechOptions.builder().lexicon(null));
    }

    @Test
    void theCacheGivesTheSameBytes() {
        try (SpeechEngine engine = Support.fake().cache(1 << 26).load()) {
            byte[] first = engine.synthesize(Support.TEXT).toWav();
            // One sentence is computed at a time, in the order of the requests: a request
            // that needs computation ends after all earlier ones.
            List<String> ended = Collections.synchronizedList(new ArrayList<>());
            List<CompletableFuture<SpeechAudio>> spoken = new ArrayList<>();
            String sentence = "It was a bright cold day in April, and the clocks were striking thirteen ".repeat(3);
            for (String text : List.of("1 " + sentence, "2 " + sentence, "3 " + sentence, "4 " + sentence, Support.TEXT)) {
                spoken.add(engine.synthesizeAsync(text).whenComplete((audio, error) -> ended.add(text)));
            }
            spoken.forEach(CompletableFuture::join);
            assertNotEquals(Support.TEXT, ended.get(4));
            assertArrayEquals(first, spoken.get(4).join().toWav());
        }
        Support.refused(
                InvalidRequestException.class,
                "cache must not be negative",
                () -> SpeechEngine.builder().cache(-1));
    }

    @Test
    void missingVoicesAreExplained() {
        ModelException error =
                Support.refused(
                        ModelException.class,
                        "",
                        () -> SpeechEngine.builder().bundle(folder.resolve("none").toFile()).load());
        assertEquals("file_missing", error.detail());
        assertEquals("check_bundle_path", error.advice());
        assertTrue(error.path().endsWith("bundle.json"), error.path());
        assertTrue(error.requestId().matches(Support.UUID));
        error =
                Support.refused(
                        ModelException.class,
                        "none.jar",
                        () -> SpeechEngine.builder().bundle(folder.resolve("none.jar").toFile(), 0, 9).load());
        assertEquals(ErrorKind.MODEL_ERROR, error.kind());
    }

    @Test
    void aClosedEngineRefuses() {
        SpeechEngine engine = Support.fake().load();
        SpeechStream stream = engine.stream(Support.TEXT);
        stream.next();
        engine.close();
        engine.close();
        assertTrue(engine.isClosed() && engine.toString().contains("closed"));
        String closed = "the engine is closed";
        Support.refused(InvalidRequestException.class, closed, () -> engine.synthesize("a"));
        Support.refused(InvalidRequestException.class, closed, () -> engine.stream("a"));
        Support.refused(InvalidRequestException.class, closed, () -> engine.streamLong("a"));
        Support.refused(InvalidRequestException.class, closed, engine::live);
        Support.refused(InvalidRequestException.class, closed, engine::warmUp);
        Support.refused(InvalidRequestException.class, closed, engine::trim);
        Support.refused(
                InvalidRequestException.class, closed, () -> engine.qualities(Voice.ARIA, Language.EN_US));
        Support.refused(CancelledException.class, "cancelled", () -> Support.joined(stream));
        ExecutionException refused =
                assertThrows(ExecutionException.class, () -> engine.synthesizeAsync("a").get());
        assertTrue(refused.getCause() instanceof InvalidRequestException);
    }

    @Test
    void manyThreadsGetTheSame() throws Exception {
        try (SpeechEngine engine = Support.fake().maxConcurrency(2).load()) {
            byte[] expected = engine.synthesize(Support.TEXT).toByteArray();
            ExecutorService threads = Executors.newFixedThreadPool(8);
            List<Future<byte[]>> spoken = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                boolean whole = i % 2 == 0;
                spoken.add(
                        threads.submit(
                                () ->
                                        whole
                                                ? engine.synthesize(Support.TEXT).toByteArray()
                                                : Support.joined(engine.stream(Support.TEXT))));
            }
            for (Future<byte[]> audio : spoken) {
                assertArrayEquals(expected, audio.get());
            }
            threads.shutdown();
        }
    }

    /**
     * Virtual threads, if supported: more of them wait for text than there are carriers, and
     * another one still runs.
     */
    @Test
    void virtualThreadsDoNotHoldTheirCarriers() throws Exception {
        ExecutorService threads;
        try {
            threads = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException older) {
            return;
        }
        try (SpeechEngine engine = Support.fake().load()) {
            List<LiveStream> waiting = new ArrayList<>();
            List<Future<Boolean>> readers = new ArrayList<>();
            for (int i = 0; i <= Runtime.getRuntime().availableProcessors(); i++) {
                LiveStream live = engine.live();
                waiting.add(live);
                readers.add(threads.submit(live::hasNext));
            }
            assertTrue(threads.submit(() -> engine.synthesize("Hello.")).get().sampleCount() > 0);
            assertTrue(readers.stream().noneMatch(Future::isDone));
            waiting.forEach(LiveStream::finish);
            for (Future<Boolean> reader : readers) {
                assertFalse(reader.get());
            }
        }
        threads.shutdown();
    }

    /** Engines closed while many threads use them: each call succeeds or is rejected. */
    @Test
    void closingWhileThreadsAreInside() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        for (int round = 0; round < 20; round++) {
            SpeechEngine engine = Support.fake().load();
            List<Future<?>> users = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int which = i;
                users.add(
                        threads.submit(
                                () -> {
                                    while (true) {
                                        use(engine, which);
                                    }
                                }));
            }
            Thread.sleep(round);
            engine.close();
            for (Future<?> user : users) {
                Throwable ended = assertThrows(ExecutionException.class, user::get).getCause();
                assertTrue(
                        ended instanceof CancelledException || ended instanceof InvalidRequestException,
                        () -> "unexpected " + ended);
            }
        }
        threads.shutdown();
    }

    private static void use(SpeechEngine engine, int which) {
        switch (which % 4) {
            case 0:
                engine.synthesize(Support.TEXT);
                break;
            case 1:
                Support.joined(engine.stream(Support.TEXT));
                break;
            case 2:
                engine.trim();
                break;
            default:
                try (LiveStream live = engine.live()) {
                    live.push(Support.TEXT);
                    live.finish();
                    Support.joined(live);
                }
        }
    }

    @Test
    void callbacksAndFutures() throws Exception {
        try (SpeechEngine engine = Support.fake().loadAsync().get()) {
            byte[] expected = engine.synthesize(Support.TEXT).toByteArray();
            CompletableFuture<byte[]> spoken =
                    engine.synthesizeAsync(Support.TEXT).thenApply(SpeechAudio::toByteArray);
            assertArrayEquals(expected, spoken.get());
            ExecutionException refused =
                    assertThrows(ExecutionException.class, () -> engine.synthesizeAsync(" ").get());
            assertTrue(refused.getCause() instanceof EmptyTextException);
        }
        CompletableFuture<SpeechEngine> missing =
                SpeechEngine.builder().bundle(folder.resolve("none").toFile()).loadAsync();
        assertTrue(assertThrows(ExecutionException.class, missing::get).getCause() instanceof ModelException);
    }

    /**
     * An exception of a callback goes to the handler of the thread, which may throw too; the
     * library continues.
     */
    @Test
    void aCallbackThatThrows() throws Exception {
        AtomicReference<Throwable> uncaught = new AtomicReference<>();
        AtomicInteger calls = new AtomicInteger();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, thrown) -> {
                    uncaught.set(thrown);
                    throw new IllegalStateException("of the handler");
                });
        try (SpeechEngine engine = Support.fake().load()) {
            SpeechCallback<SpeechAudio> callback =
                    new SpeechCallback<>() {
                        @Override
                        public void onResult(SpeechAudio audio) {
                            calls.incrementAndGet();
                            throw new IllegalStateException("of the callback");
                        }

                        @Override
                        public void onError(SpeechException error) {
                            calls.incrementAndGet();
                        }
                    };
            int objects = Support.objects();
            engine.synthesize("Hello.", SpeechOptions.defaults(), callback);
            Support.until("the handler is called", () -> uncaught.get() != null);
            assertEquals("of the callback", uncaught.get().getMessage());
            assertTrue(engine.synthesize("Hello.").sampleCount() > 0);
            Support.until("the first call has ended", () -> Support.objects() == objects);
            assertEquals(1, calls.get());
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void warmUpAndTrimChangeNothing() {
        try (SpeechEngine engine = Support.fake().load()) {
            byte[] before = engine.synthesize(Support.TEXT).toByteArray();
            engine.warmUp();
            engine.trim();
            assertArrayEquals(before, engine.synthesize(Support.TEXT).toByteArray());
            engine.trim();
            engine.trim();
            assertFalse(engine.isClosed());
        }
    }

    @Test
    void aFutureThatIsCancelledStopsTheComputation() throws Exception {
        AtomicReference<Object> ended = new AtomicReference<>();
        try (SpeechEngine engine = Support.real().load()) {
            CompletableFuture<SpeechAudio> future =
                    Futures.start(
                            callback ->
                                    engine.synthesize(
                                            Support.LONG,
                                            SpeechOptions.defaults(),
                                            new SpeechCallback<>() {
                                                @Override
                                                public void onResult(SpeechAudio audio) {
                                                    ended.set(audio);
                                                    callback.onResult(audio);
                                                }

                                                @Override
                                                public void onError(SpeechException error) {
                                                    ended.set(error);
                                                    callback.onError(error);
                                                }
                                            }));
            Thread.sleep(100);
            assertTrue(future.cancel(true));
            assertThrows(CancellationException.class, future::get);
            Support.until("the computation has ended", () -> ended.get() != null);
            assertTrue(ended.get() instanceof CancelledException, () -> "ended with " + ended.get());
        }
    }
}
