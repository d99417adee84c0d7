package io.libspeech;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One tier, as clients read it. */
public final class TierEntry extends Value {
    private final Tier tier;
    private final double rateUsdPerSecond;
    private final boolean isAvailable;

    TierEntry(Fields fields) {
        this.tier = Tier.of(fields.string("tier"));
        this.rateUsdPerSecond = fields.doubleValue("rate_usd_per_second");
        this.isAvailable = fields.flag("available");
    }

    /**
     * The tier.
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
     * Whether this deployment offers the tier.
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
    Map<String, @Nullable Object> fields() {
        return Json.object("tier", tier, "rateUsdPerSecond", rateUsdPerSecond, "isAvailable", isAvailable);
    }
}
