package io.libspeech;

import java.time.Duration;

/** A latency tier: how much audio an encoder waits for before it commits to text, which is what the rate pays for. */
public enum Tier {
    /** The least latency. */
    ULTRA("ultra", 0, 80, 139),
    /** A little more. */
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
        return micros(new Call("charge").put("seconds", seconds).put("nanoseconds", nanoseconds));
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
