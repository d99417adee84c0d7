import io.libspeech.SpeechEngine;
import io.libspeech.SpeechStream;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Measures the time that the Java API adds to the core's own. The goal: under 1 ms per call.
 *
 * <p>Run it on an idle machine: java -cp JARS Overhead.java [calls [bundle]]. By default 20 calls
 * of each kind; the bundle may be the test bundle, whose core takes almost no time.
 */
public final class Overhead {
    private static final String SHORT = "Good morning.";
    private static final String LONG =
            "The old lighthouse keeper climbed the spiral stairs every evening, and lit the lamp before the ships came"
                    + " home. Nobody had asked him to. He had done it for forty years, in all weathers, and never"
                    + " once had he been late.";

    /** The seconds of a call, and those of the core for the same work. */
    private static final class Call {
        final double wall;
        final double core;

        Call(double wall, double core) {
            this.wall = wall;
            this.core = core;
        }
    }

    private static Call whole(SpeechEngine engine, String text) {
        long began = System.nanoTime();
        double core = engine.synthesize(text).elapsed();
        return new Call((System.nanoTime() - began) / 1e9, core);
    }

    private static Call future(SpeechEngine engine, String text) {
        long began = System.nanoTime();
        double core = engine.synthesizeAsync(text).join().elapsed();
        return new Call((System.nanoTime() - began) / 1e9, core);
    }

    /**
     * Measures the first chunk of a sentence, and just after it the core's time for the same
     * sentence.
     */
    private static Call firstChunk(SpeechEngine engine, String text) {
        long began = System.nanoTime();
        try (SpeechStream stream = engine.stream(text)) {
            stream.next();
        }
        return new Call((System.nanoTime() - began) / 1e9, engine.synthesize(text).elapsed());
    }

    private static double at(DoubleStream values, double part) {
        double[] sorted = values.sorted().toArray();
        return sorted[(int) Math.min(sorted.length - 1, Math.round(part * sorted.length))];
    }

    private static void show(String name, List<Call> calls) {
        double core = at(calls.stream().mapToDouble(call -> call.core), 0.5);
        double median = at(calls.stream().mapToDouble(call -> call.wall - call.core), 0.5);
        double late = at(calls.stream().mapToDouble(call -> call.wall - call.core), 0.95);
        String line = "%s: core %.1f ms; added %.0f µs (median), %.0f µs (95 %%)";
        System.out.println(String.format(Locale.ROOT, line, name, core * 1e3, median * 1e6, late * 1e6));
    }

    public static void main(String[] arguments) {
        int repeat = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20;
        SpeechEngine.Builder builder = SpeechEngine.builder().threads(1);
        if (arguments.length > 1) {
            builder.bundle(new File(arguments[1]));
        }
        try (SpeechEngine engine = builder.load()) {
            System.out.println(engine.kernels() + ", " + engine.precision());
            List<Call> shorts = new ArrayList<>();
            List<Call> longs = new ArrayList<>();
            List<Call> futures = new ArrayList<>();
            List<Call> firsts = new ArrayList<>();
            for (int round = -repeat / 4; round < repeat; round++) {
                List<Call> untimed = new ArrayList<>(); // while the virtual machine still compiles
                (round < 0 ? untimed : shorts).add(whole(engine, SHORT));
                (round < 0 ? untimed : longs).add(whole(engine, LONG));
                (round < 0 ? untimed : futures).add(future(engine, SHORT));
                (round < 0 ? untimed : firsts).add(firstChunk(engine, SHORT));
            }
            show("synthesize, short text", shorts);
            show("synthesize, long text", longs);
            show("synthesizeAsync, short text", futures);
            show("stream, to the first chunk of the short text", firsts);
        }
    }
}
