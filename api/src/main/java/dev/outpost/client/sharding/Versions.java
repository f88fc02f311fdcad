package dev.outpost.client.sharding;

import dev.outpost.sharding.Sharding;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A value of the whole program, in all placements that it has had in it. A value that is made of nothing has none at first: it is made
 * in those that are asked for, which exchanges nothing. What outlives the program of it is in the placement that it is meant to have.
 */
final class Versions {
    /** Makes a value that is made of nothing. */
    interface Maker {
        /**
         * Makes it in a placement. No sum is due in it.
         *
         * @param value which has no such version yet
         */
        Version make(Versions value, Sharding target);
    }

    private final TensorType type;
    private final List<Version> all = new ArrayList<>();
    /** Null unless the value is made of nothing. */
    private final Maker maker;
    /** Where it is made of nothing, the placement that it is meant to have. */
    private final Sharding meant;
    /** How many values of nothing it is made of, one of the other. */
    private final int depth;
    /** The one that takes the place of the first; null where none does. */
    private Version settled;

    Versions(TensorType type, Version first) {
        this.type = type;
        this.maker = null;
        this.meant = null;
        this.depth = 0;
        all.add(first);
    }

    private Versions(TensorType type, Maker maker, Sharding meant, int depth) {
        this.type = type;
        this.maker = maker;
        this.meant = meant;
        this.depth = depth;
    }

    /**
     * A value that is made of nothing, and is meant to be placed so.
     *
     * @param depth one more than that of the deepest value that it is made of
     */
    static Versions created(TensorType type, Sharding meant, int depth, Maker maker) {
        return new Versions(type, maker, meant, depth);
    }

    /** The same value that is made of nothing, meant to be placed in another way. */
    Versions meantFor(Sharding other) {
        return created(type, other, depth, (value, target) -> in(target));
    }

    /** Whether it is made of nothing, and so can have any placement without an exchange. */
    boolean isCreated() {
        return maker != null;
    }

    int depth() {
        return depth;
    }

    TensorType type() {
        return type;
    }

    List<Version> all() {
        return all;
    }

    /** The placements that it has had, and the one that it is meant to have. */
    List<Sharding> placements() {
        Stream<Sharding> made = all.stream().map(Version::sharding);
        return (isCreated() ? Stream.concat(Stream.of(meant), made) : made).toList();
    }

    Version first() {
        return all.getFirst();
    }

    /** The placement of {@link #main}. */
    Sharding sharding() {
        return isCreated() && settled == null ? meant : main().sharding();
    }

    /**
     * The one that it was computed in; where that was a sum that was due, the sum once it was taken; or the one that it was {@linkplain
     * #settle settled} in. A value that is made of nothing is made in the placement that it is meant to have.
     */
    Version main() {
        if (settled != null) {
            return settled;
        }
        if (isCreated()) {
            return in(meant);
        }
        if (!first().sharding().isDue()) {
            return first();
        }
        Version summed = has(first().sharding().summed());
        return summed == null ? first() : summed;
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

    /** The one with that placement, or null. */
    Version has(Sharding sharding) {
        for (Version version : all) {
            if (version.sharding().equals(sharding)) {
                return version;
            }
        }
        return null;
    }

    /** A value that is made of nothing, in a placement. */
    Version in(Sharding target) {
        Version has = has(target);
        if (has != null) {
            return has;
        }
        Version made = maker.make(this, target);
        all.add(made);
        return made;
    }

    /** How many bytes move at least until these workers have what they need of it. */
    long bytesToReach(List<Integer> workers) {
        if (isCreated()) {
            return 0;
        }
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
