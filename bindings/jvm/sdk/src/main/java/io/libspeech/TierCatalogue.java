package io.libspeech;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** The latency tiers of one deployment. */
public final class TierCatalogue {
    /** Pairs of the numbers of past and future frames. */
    private final List<List<Integer>> contexts = new ArrayList<>();

    private final List<TierEntry> entries;
    private final Tier defaultTier;
    private final String json;

    private TierCatalogue(Collection<AttentionContext> available) {
        for (AttentionContext context : available) {
            contexts.add(Arrays.asList(context.left(), context.right()));
        }
        Fields fields = call("tiers").run();
        this.entries = fields.list("tiers", TierEntry::new);
        this.defaultTier = Tier.of(fields.string("default"));
        this.json = fields.string("json");
    }

    private Call call(String name) {
        return new Call(name).put("contexts", contexts);
    }

    /**
     * The catalog of a deployment that can run every tier.
     *
     * @return the catalog
     */
    public static TierCatalogue all() {
        List<AttentionContext> contexts = new ArrayList<>();
        for (Tier tier : Tier.values()) {
            contexts.add(tier.attentionContext());
        }
        return of(contexts);
    }

    /**
     * The catalog of a deployment that can run these attention contexts.
     *
     * @param available the contexts
     * @return the catalog
     */
    public static TierCatalogue of(AttentionContext... available) {
        return of(Arrays.asList(available));
    }

    /**
     * The catalog of a deployment that can run these attention contexts.
     *
     * @param available the contexts
     * @return the catalog
     */
    public static TierCatalogue of(Collection<AttentionContext> available) {
        return new TierCatalogue(available);
    }

    /**
     * Every tier.
     *
     * @return the tiers, by increasing latency; immutable
     */
    public List<TierEntry> tiers() {
        return entries;
    }

    /**
     * The tier to use by default.
     *
     * @return the tier, whether or not it is available
     */
    public Tier defaultTier() {
        return defaultTier;
    }

    /**
     * The tier with this name, never another one.
     *
     * @param name the name
     * @return the tier
     * @throws InvalidTierException if there is no such tier, or the deployment cannot run it; the
     *     message names it
     */
    public Tier resolve(String name) {
        Objects.requireNonNull(name, "name");
        return Tier.of(call("resolve_tier").put("tier", name).run().string("tier"));
    }

    /**
     * The available tiers, the most suitable for a use case first.
     *
     * @param useCase the use of the text
     * @return an immutable list
     */
    public List<Tier> rank(UseCase useCase) {
        List<Tier> tiers = new ArrayList<>();
        for (String tier : call("rank_tiers").put("use_case", useCase.id()).run().strings("tiers")) {
            tiers.add(Tier.of(tier));
        }
        return Collections.unmodifiableList(tiers);
    }

    /**
     * The catalog as JSON, for a service's response.
     *
     * @return a JSON object
     */
    public String toJson() {
        return json;
    }

    @Override
    public String toString() {
        return json;
    }
}
