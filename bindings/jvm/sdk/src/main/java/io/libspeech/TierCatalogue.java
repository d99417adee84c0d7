package io.libspeech;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** The latency tiers of one deployment. */
public final class TierCatalogue {
    private final List<AttentionContext> contexts;
    private final List<TierEntry> entries;
    private final Tier defaultTier;
    private final String json;

    private TierCatalogue(List<AttentionContext> contexts) {
        this.contexts = contexts;
        WireReader fields = Answer.read(Native.get().tiers(write().toByteArray()));
        this.entries = fields.list(TierEntry::new);
        this.defaultTier = Tier.of(fields.string());
        this.json = fields.string();
    }

    /**
     * The catalogue of a deployment that can run every tier.
     *
     * @return the catalogue
     */
    public static TierCatalogue all() {
        List<AttentionContext> contexts = new ArrayList<>();
        for (Tier tier : Tier.values()) {
            contexts.add(tier.attentionContext());
        }
        return of(contexts);
    }

    /**
     * The catalogue of a deployment that can run these attention contexts.
     *
     * @param available the contexts
     * @return the catalogue
     */
    public static TierCatalogue of(AttentionContext... available) {
        return of(Arrays.asList(available));
    }

    /**
     * The catalogue of a deployment that can run these attention contexts.
     *
     * @param available the contexts
     * @return the catalogue
     */
    public static TierCatalogue of(Collection<AttentionContext> available) {
        return new TierCatalogue(Collections.unmodifiableList(new ArrayList<>(available)));
    }

    /**
     * Every tier.
     *
     * @return from the least latency to the most; the list cannot be changed
     */
    public List<TierEntry> tiers() {
        return entries;
    }

    /**
     * The tier to use by default.
     *
     * @return the tier, whether it is available or not
     */
    public Tier defaultTier() {
        return defaultTier;
    }

    /**
     * The tier of this name. It never answers with another one.
     *
     * @param name the name
     * @return the tier
     * @throws InvalidTierException if there is no such tier, or the deployment cannot run it; the message names it
     */
    public Tier resolve(String name) {
        byte[] arguments = write().string("tier", Objects.requireNonNull(name, "name")).toByteArray();
        String resolved = Answer.read(Native.get().resolveTier(arguments)).string();
        return Tier.of(resolved);
    }

    /**
     * The tiers that the deployment can run, the most suitable for a use case first.
     *
     * @param useCase what waits for the text
     * @return a list that cannot be changed
     */
    public List<Tier> rank(UseCase useCase) {
        byte[] arguments = write().string("use case", useCase.id()).toByteArray();
        return Answer.read(Native.get().rankTiers(arguments)).list(reader -> Tier.of(reader.string()));
    }

    /**
     * The catalogue as a service sends it, with the names of the contract.
     *
     * @return a JSON object
     */
    public String toJson() {
        return json;
    }

    private WireWriter write() {
        WireWriter writer = new WireWriter().intValue(contexts.size());
        for (AttentionContext context : contexts) {
            writer.intValue(context.left()).intValue(context.right());
        }
        return writer;
    }

    @Override
    public String toString() {
        return json;
    }
}
