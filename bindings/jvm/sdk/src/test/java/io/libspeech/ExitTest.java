package io.libspeech;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs that exit during a computation: they do not wait for it, and do not crash. */
@Timeout(240)
class ExitTest {
    /** Starts to speak in every way, and exits as the argument says. */
    public static final class Program {
        private Program() {}

        /** Exits. */
        public static void main(String[] arguments) throws Exception {
            SpeechEngine engine = Support.real().load();
            Thread reader = new Thread(() -> engine.stream(Support.LONG).forEachRemaining(chunk -> {}));
            reader.setDaemon(true);
            reader.start();
            engine.synthesizeAsync(Support.LONG);
            LiveStream live = engine.live();
            live.subscribe(new Silent());
            Thread.sleep(300);
            switch (arguments[0]) {
                case "exit":
                    System.exit(7);
                    break;
                case "halt":
                    Runtime.getRuntime().halt(7);
                    break;
                case "throw":
                    throw new IllegalStateException("of the program");
                default:
            }
        }
    }

    private static final class Silent implements ChunkListener {
        @Override
        public void onChunk(SpeechChunk chunk) {}

        @Override
        public void onError(SpeechException error) {}

        @Override
        public void onComplete() {}
    }

    @Test
    void everyWayToEnd() throws Exception {
        check("return", 0);
        check("throw", 1);
        check("exit", 7);
        check("halt", 7);
    }

    private static void check(String how, int expected) throws Exception {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dlibspeech.library=" + System.getProperty(NativeLibrary.PROPERTY),
                        "-cp",
                        path,
                        Program.class.getName(),
                        how);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        long began = System.nanoTime();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it hangs");
        assertEquals(expected, process.exitValue(), how + "\n" + printed);
        assertTrue(!printed.contains("fatal error") && !printed.contains("panic"), printed);
        // The speech takes minutes.
        assertTrue(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began) < 30, how);
    }
}
