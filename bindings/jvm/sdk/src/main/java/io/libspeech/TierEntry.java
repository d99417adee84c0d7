package io.libspeech;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One tier as clients read it. */
public final class TierEntry {
    private final Tier tier;
    private final double rateUsdPerSecond;
    private final boolean isAvailable;

    TierEntry(WireReader reader) {
        this.tier = Tier.of(reader.string());
        this.rateUsdPerSecond = reader.doubleValue();
        this.isAvailable = reader.flag();
    }

    /**
     * Which tier it is.
     *
     * @return the tier
     */
    public Tier tier() {
        return tier;
    }

    /**
     * The price of a second of audio.
     *
     * @return US dollars
     */
    public double rateUsdPerSecond() {
        return rateUsdPerSecond;
    }

    /**
     * Whether this deployment can run it.
     *
     * @return whether it can
     */
    public boolean isAvailable() {
        return isAvailable;
    }

    /**
     * The price of a second of audio.
     *
     * @return millionths of a US dollar
     */
    public int rateMicros() {
        return tier.rateMicros();
    }

    /**
     * The lookahead; network time and the client's frame length add to it.
     *
     * @return milliseconds
     */
    public int latencyMs() {
        return tier.latencyMs();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof TierEntry)) {
            return false;
        }
        TierEntry that = (TierEntry) other;
        return tier.equals(that.tier)
                && Double.compare(rateUsdPerSecond, that.rateUsdPerSecond) == 0
                && isAvailable == that.isAvailable;
    }

    @Override
    public int hashCode() {
        return Objects.hash(tier, rateUsdPerSecond, isAvailable);
    }

    @Override
    public String toString() {
        return "TierEntry{tier=" + tier
                + ", rateUsdPerSecond=" + rateUsdPerSecond
                + ", isAvailable=" + isAvailable
                + "}";
    }
}
