import io.libspeech.CancelledException;
import io.libspeech.Latency;
import io.libspeech.LiveStream;
import io.libspeech.SpeechAudio;
import io.libspeech.SpeechChunk;
import io.libspeech.SpeechEngine;
import io.libspeech.SpeechOptions;
import io.libspeech.ServiceRequest;
import io.libspeech.SpeechStream;
import io.libspeech.TextTooLongException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Mixed load on the JVM packages for `soak.program`: whole texts, streams, futures, interruption,
 * rejections, and engines that come and go, some of them never closed. The arguments are the texts,
 * each as the JSON of a request.
 */
public final class JvmPackage {
    private interface Operation {
        void run(ServiceRequest request) throws Exception;
    }

    private static volatile boolean ended;

    private final SpeechEngine engine = SpeechEngine.builder().threads(1).maxConcurrency(2).load();
    private final List<ServiceRequest> requests = new ArrayList<>();
    private final List<Map.Entry<String, Operation>> operations =
            List.of(
                    Map.entry("whole", this::whole),
                    Map.entry("stream", this::stream),
                    Map.entry("half", this::half),
                    Map.entry("bytes", this::bytes),
                    Map.entry("future", this::future),
                    Map.entry("abandoned", this::abandoned),
                    Map.entry("thread", this::thread),
                    Map.entry("live", this::live),
                    Map.entry("interrupted", this::interrupted),
                    Map.entry("document", this::document),
                    Map.entry("refused", this::refused));

    private JvmPackage(String[] texts) {
        for (String text : texts) {
            requests.add(ServiceRequest.fromJson(text));
        }
    }

    /** Runs the operations in a cycle until the end. Each thread starts with another one. */
    private void run(int first) throws Exception {
        for (int number = first; !ended; number++) {
            if (number % 10 == 0) {
                report("probe", yes -> engine.synthesize("Yes."), null);
            }
            Map.Entry<String, Operation> operation = operations.get(number % operations.size());
            ServiceRequest request = requests.get(number / operations.size() % requests.size());
            report(operation.getKey(), operation.getValue(), request);
            if (first == 0 && number % 100 == 99) {
                report("engine", this::engine, request);
            }
        }
    }

    private static void report(String name, Operation operation, ServiceRequest request) throws Exception {
        long begin = System.nanoTime();
        operation.run(request);
        System.out.println(String.format(Locale.ROOT, "%s %.1f", name, (System.nanoTime() - begin) / 1e6));
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private void whole(ServiceRequest request) {
        check(engine.synthesize(request.text(), request.options()).toWav().length > 4_000, "whole");
    }

    private void stream(ServiceRequest request) {
        int samples = 0;
        try (SpeechStream stream = engine.stream(request.text(), request.options())) {
            for (SpeechChunk chunk : stream) {
                samples += chunk.sampleCount();
            }
        }
        check(samples > 2_000, "stream");
    }

    private void half(ServiceRequest request) {
        try (SpeechStream stream = engine.stream(request.text(), request.options())) {
            check(stream.next().sampleCount() > 0, "half");
        }
    }

    private void bytes(ServiceRequest request) throws IOException {
        try (SpeechStream stream = engine.stream(request.text(), request.options());
                InputStream bytes = stream.toInputStream()) {
            check(bytes.readAllBytes().length > 4_000, "bytes");
        }
    }

    private void future(ServiceRequest request) throws InterruptedException {
        CompletableFuture<SpeechAudio> future = engine.synthesizeAsync(request.text(), request.options());
        Thread.sleep(20);
        future.cancel(true);
        check(engine.synthesizeAsync("Yes.").join().duration() > 0, "future");
    }

    /** Leaves a stream neither read to its end nor closed. */
    private void abandoned(ServiceRequest request) {
        check(engine.stream(request.text(), request.options()).next().sampleCount() > 0, "abandoned");
    }

    private void thread(ServiceRequest request) throws InterruptedException {
        Thread speaking =
                new Thread(
                        () -> {
                            try {
                                engine.synthesize(request.text(), request.options());
                            } catch (CancelledException interrupted) {
                                check(Thread.currentThread().isInterrupted(), "thread");
                            }
                        });
        speaking.start();
        Thread.sleep(20);
        speaking.interrupt();
        speaking.join();
    }

    private void live(ServiceRequest request) {
        SpeechOptions options = request.options().toBuilder().latency(Latency.LOW).rate(1.2).build();
        try (LiveStream live = engine.live(options)) {
            for (String word : request.text().split(" ")) {
                live.push(word + " ");
            }
            live.finish();
            int samples = 0;
            for (SpeechChunk chunk : live) {
                samples += chunk.sampleCount();
            }
            check(samples > 2_000 && live.heardAt(1e9) > 0, "live");
        }
    }

    private void interrupted(ServiceRequest request) {
        try (LiveStream live = engine.live(request.options())) {
            live.push(request.text() + " And more. ");
            check(live.next().sampleCount() > 0, "interrupted");
        }
    }

    private void document(ServiceRequest request) {
        String text = "<speak>One <mark name='m'/> two.</speak>";
        SpeechAudio audio = engine.synthesize(text, SpeechOptions.builder().ssml(true).build());
        check(audio.phonemes().size() > 4 && audio.visemes().size() > 4 && audio.marks().size() == 1, "document");
    }

    private void refused(ServiceRequest request) {
        try {
            engine.synthesize("x".repeat(1001));
        } catch (TextTooLongException refused) {
            return;
        }
        throw new AssertionError("it was not refused");
    }

    private void engine(ServiceRequest request) {
        try (SpeechEngine another = SpeechEngine.builder().threads(2).load()) {
            another.synthesize("Yes.");
        }
    }

    private static void waitForEnd() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException closed) {
            // A closed input counts as ended.
        }
        ended = true;
    }

    public static void main(String[] texts) throws InterruptedException, ExecutionException {
        System.out.println("pid " + ProcessHandle.current().pid());
        JvmPackage load = new JvmPackage(texts);
        Thread waiting = new Thread(JvmPackage::waitForEnd);
        waiting.setDaemon(true);
        waiting.start();
        ExecutorService threads = Executors.newFixedThreadPool(2);
        ExecutorCompletionService<Void> running = new ExecutorCompletionService<>(threads);
        for (int i = 0; i < 2; i++) {
            int first = i;
            running.submit(
                    () -> {
                        load.run(first);
                        return null;
                    });
        }
        try {
            running.take().get(); // if a thread failed, it ends first
            running.take().get();
        } finally {
            ended = true;
            threads.shutdown();
            threads.awaitTermination(1, TimeUnit.MINUTES);
        }
        load.engine.close();
    }
}
