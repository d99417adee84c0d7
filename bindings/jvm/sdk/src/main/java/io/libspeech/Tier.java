package io.libspeech;

import java.time.Duration;

/**
 * A latency tier: the amount of audio that an encoder waits for before it commits to text. The rate
 * depends on it.
 */
public enum Tier {
    /** The lowest latency. */
    ULTRA("ultra", 0, 80, 139),
    /** A low latency. */
    TURBO("turbo", 3, 320, 100),
    /** The default. */
    STANDARD("standard", 6, 560, 61),
    /** The lowest price. */
    ECONOMY("economy", 13, 1120, 42);

    private static final int LEFT = 70;

    private final String id;
    private final AttentionContext attentionContext;
    private final int latencyMs;
    private final int rateMicros;

    Tier(String id, int right, int latencyMs, int rateMicros) {
        this.id = id;
        this.attentionContext = new AttentionContext(LEFT, right);
        this.latencyMs = latencyMs;
        this.rateMicros = rateMicros;
    }

    /**
     * The name used in requests.
     *
     * @return the name, such as {@code standard}
     */
    public String id() {
        return id;
    }

    /**
     * The tier with this name, whether or not a deployment can run it: {@link
     * TierCatalogue#resolve} also checks that.
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
        return attentionContext;
    }

    /**
     * The price of a second of audio, before any rebate.
     *
     * @return millionths of a US dollar
     */
    public int rateMicros() {
        return rateMicros;
    }

    /**
     * The lookahead; network time and the client's frame length add to it.
     *
     * @return milliseconds
     */
    public int latencyMs() {
        return latencyMs;
    }

    /**
     * The cost of a duration of audio, before any rebate: exact, rounded up once. Charge a whole
     * recording at once, not the sum of its pieces. On Android this needs version 8 (API 26).
     *
     * @param duration the duration of the audio
     * @return millionths of a US dollar
     * @throws InvalidRequestException if the duration is negative, or the charge exceeds {@link
     *     Long#MAX_VALUE}
     */
    @RequiresApi(26)
    public long charge(Duration duration) {
        return charge(duration.getSeconds(), duration.getNano());
    }

    /**
     * The cost of a duration of audio, as {@link #charge(Duration)}, for older versions of Android.
     *
     * @param seconds whole seconds of audio
     * @param nanoseconds the rest, under 1,000,000,000
     * @return millionths of a US dollar
     * @throws InvalidRequestException if a number is out of range, or the charge exceeds {@link
     *     Long#MAX_VALUE}
     */
    public long charge(long seconds, int nanoseconds) {
        return micros(new Call("charge").put("seconds", seconds).put("nanoseconds", nanoseconds));
    }

    /**
     * The cost of a number of samples, as {@link #charge(Duration)}.
     *
     * @param samples the number of samples
     * @param sampleRate the sample rate in hertz, 1 or more
     * @return millionths of a US dollar
     * @throws InvalidRequestException if a number is out of range, or the charge exceeds {@link
     *     Long#MAX_VALUE}
     */
    public long chargeSamples(long samples, int sampleRate) {
        return micros(new Call("charge_samples").put("samples", samples).put("sample_rate", sampleRate));
    }

    private long micros(Call charge) {
        return charge.put("tier", id).run().longValue("micros");
    }

    @Override
    public String toString() {
        return id;
    }
}
