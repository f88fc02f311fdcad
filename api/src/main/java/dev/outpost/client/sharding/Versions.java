package dev.outpost.client.sharding;

import dev.outpost.sharding.Sharding;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/** A value of the whole program, in all placements that it has had in it. */
final class Versions {
    private final TensorType type;
    private final List<Version> all = new ArrayList<>();
    /** The one that takes the place of the first; null where none does. */
    private Version settled;

    Versions(TensorType type, Version first) {
        this.type = type;
        all.add(first);
    }

    TensorType type() {
        return type;
    }

    List<Version> all() {
        return all;
    }

    Version first() {
        return all.getFirst();
    }

    /**
     * The one that it was computed in; where that was a sum that was due, the sum once it was taken; or the one that it was {@linkplain
     * #settle settled} in.
     */
    Version main() {
        if (settled != null) {
            return settled;
        }
        if (!first().sharding().isDue()) {
            return first();
        }
        Sharding summed = first().sharding().summed();
        return all.stream()
                .filter(version -> version.sharding().equals(summed))
                .findFirst()
                .orElse(first());
    }

    /** Only this one of its placements outlives the program. */
    void settle(Version version) {
        settled = version;
    }

    boolean isAsAtFirst() {
        return main() == first();
    }

    void add(Version version) {
        all.add(version);
    }

    /** How many bytes move at least until these workers have what they need of it. */
    long bytesToReach(List<Integer> workers) {
        long least = Long.MAX_VALUE;
        for (Version version : all) {
            Sharding has = version.sharding();
            boolean isThere = has.workers().equals(workers)
                    || has.isReplicated() && has.workers().containsAll(workers);
            long missing = workers.stream()
                    .filter(rank -> !has.workers().contains(rank))
                    .count();
            least = Math.min(least, isThere ? 0 : type.bytes() * Math.max(1, missing));
        }
        return least;
    }
}
