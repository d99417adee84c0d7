package io.libspeech;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** A latency tier: how much audio an encoder waits for before it commits to text, which is what the rate pays for. */
public enum Tier {
    /** The least latency. */
    ULTRA("ultra"),
    /** A little more. */
    TURBO("turbo"),
    /** The default. */
    STANDARD("standard"),
    /** The lowest price. */
    ECONOMY("economy");

    private final String id;

    Tier(String id) {
        this.id = id;
    }

    /**
     * The name of the contract.
     *
     * @return the name, such as {@code standard}
     */
    public String id() {
        return id;
    }

    /**
     * The tier of this name, whether a deployment can run it or not: {@link TierCatalogue#resolve} asks that too.
     *
     * @param id the name
     * @return the tier
     * @throws InvalidTierException if there is no such tier; the message names it
     */
    public static Tier of(String id) {
        for (Tier tier : values()) {
            if (tier.id.equals(id)) {
                return tier;
            }
        }
        return TierCatalogue.all().resolve(id);
    }

    /**
     * The attention context of the encoder.
     *
     * @return the context
     */
    public AttentionContext attentionContext() {
        return row().context;
    }

    /**
     * The price of a second of audio, before any rebate.
     *
     * @return millionths of a US dollar
     */
    public int rateMicros() {
        return row().rateMicros;
    }

    /**
     * The lookahead; network time and the client's frame length add to it.
     *
     * @return milliseconds
     */
    public int latencyMs() {
        return row().latencyMs;
    }

    /**
     * What so much audio costs, before any rebate: exact, and rounded up once, at the end. Charge a whole recording at once, not the
     * sum of its pieces. On Android it needs version 8 (API 26).
     *
     * @param duration how long the audio is
     * @return millionths of a US dollar
     * @throws InvalidRequestException if the duration is negative, or the charge over {@link Long#MAX_VALUE}
     */
    @RequiresApi(26)
    public long charge(Duration duration) {
        return charge(duration.getSeconds(), duration.getNano());
    }

    /**
     * What so much audio costs, as {@link #charge(Duration)}, which older versions of Android do not have.
     *
     * @param seconds whole seconds of audio
     * @param nanoseconds the rest, under 1,000,000,000
     * @return millionths of a US dollar
     * @throws InvalidRequestException if a number is out of range, or the charge over {@link Long#MAX_VALUE}
     */
    public long charge(long seconds, int nanoseconds) {
        byte[] arguments =
                new WireWriter().string("tier", id).longValue(seconds).intValue(nanoseconds).toByteArray();
        return Answer.read(Native.get().charge(arguments)).longValue();
    }

    /**
     * What so many samples cost, as {@link #charge(Duration)}.
     *
     * @param samples how many there are
     * @param sampleRate in hertz, 1 or more
     * @return millionths of a US dollar
     * @throws InvalidRequestException if a number is out of range, or the charge over {@link Long#MAX_VALUE}
     */
    public long chargeSamples(long samples, int sampleRate) {
        byte[] arguments =
                new WireWriter().string("tier", id).longValue(samples).intValue(sampleRate).toByteArray();
        return Answer.read(Native.get().chargeSamples(arguments)).longValue();
    }

    private Row row() {
        return Objects.requireNonNull(Table.ROWS.get(id));
    }

    @Override
    public String toString() {
        return id;
    }

    /** A row of the native library's table. */
    private static final class Row {
        private final AttentionContext context;
        private final int rateMicros;
        private final int latencyMs;

        Row(WireReader reader) {
            int left = reader.intValue();
            this.context = AttentionContext.of(left, reader.intValue());
            this.rateMicros = reader.intValue();
            this.latencyMs = reader.intValue();
        }
    }

    /** The native library's table, once it is asked for. */
    private static final class Table {
        static final Map<String, Row> ROWS = new HashMap<>();

        static {
            WireReader table = Answer.read(Native.get().tierTable());
            table.list(reader -> ROWS.put(reader.string(), new Row(reader)));
        }
    }
}
