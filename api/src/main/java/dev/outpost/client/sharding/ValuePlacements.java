package dev.outpost.client.sharding;

import dev.outpost.sharding.Sharding;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A value of the whole program, in all placements that the program has computed. A {@linkplain CreationRewrite created value} has none at
 * first: each placement is computed without an exchange when an instruction needs it. A created value outlives the program in its intended
 * placement.
 */
final class ValuePlacements {
    /** Computes a created value. */
    interface Maker {
        /**
         * Computes the value in a placement without partial sums.
         *
         * @param placements the versions of the value, none of which has this placement
         */
        ShardedValue make(ValuePlacements placements, Sharding target);
    }

    private final TensorType type;
    private final List<ShardedValue> all = new ArrayList<>();
    /** Null unless the value is created. */
    private final Maker maker;
    /** The intended placement of a created value; null for other values. */
    private final Sharding meant;
    /** The length of the longest chain of created values that ends with this value. */
    private final int depth;
    /** The version that replaces the first as the main version; null for none. */
    private ShardedValue settled;

    ValuePlacements(TensorType type, ShardedValue first) {
        this.type = type;
        this.maker = null;
        this.meant = null;
        this.depth = 0;
        all.add(first);
    }

    private ValuePlacements(TensorType type, Maker maker, Sharding meant, int depth) {
        this.type = type;
        this.maker = maker;
        this.meant = meant;
        this.depth = depth;
    }

    /**
     * Makes a created value with an intended placement.
     *
     * @param depth one more than the largest depth of its operands
     */
    static ValuePlacements created(TensorType type, Sharding meant, int depth, Maker maker) {
        return new ValuePlacements(type, maker, meant, depth);
    }

    /** Returns the same created value with another intended placement. */
    ValuePlacements meantFor(Sharding other) {
        return created(type, other, depth, (placements, target) -> in(target));
    }

    /** True if the value is created, so that any placement of it needs no exchange. */
    boolean isCreated() {
        return maker != null;
    }

    int depth() {
        return depth;
    }

    TensorType type() {
        return type;
    }

    List<ShardedValue> all() {
        return all;
    }

    /** Returns the placements that were computed, and for a created value its intended placement. */
    List<Sharding> placements() {
        Stream<Sharding> made = all.stream().map(ShardedValue::sharding);
        return (isCreated() ? Stream.concat(Stream.of(meant), made) : made).toList();
    }

    ShardedValue first() {
        return all.getFirst();
    }

    /** Returns the placement of {@link #main}. */
    Sharding sharding() {
        return isCreated() && settled == null ? meant : main().sharding();
    }

    /**
     * Returns the {@linkplain #settle settled} version, if any. Otherwise it returns the version that was computed first, or its sum if
     * that version has partial sums and the sum was taken. A created value is computed in its intended placement.
     */
    ShardedValue main() {
        if (settled != null) {
            return settled;
        }
        if (isCreated()) {
            return in(meant);
        }
        if (!first().sharding().isDue()) {
            return first();
        }
        ShardedValue summed = has(first().sharding().summed());
        return summed == null ? first() : summed;
    }

    /** Makes this version the only one that outlives the program. */
    void settle(ShardedValue shardedValue) {
        settled = shardedValue;
    }

    boolean isAsAtFirst() {
        return main() == first();
    }

    void add(ShardedValue shardedValue) {
        all.add(shardedValue);
    }

    /** Returns the version with a placement, or null. */
    ShardedValue has(Sharding sharding) {
        for (ShardedValue shardedValue : all) {
            if (shardedValue.sharding().equals(sharding)) {
                return shardedValue;
            }
        }
        return null;
    }

    /** Returns a created value in a placement; computes it if necessary. */
    ShardedValue in(Sharding target) {
        ShardedValue shardedValue = has(target);
        if (shardedValue != null) {
            return shardedValue;
        }
        ShardedValue made = maker.make(this, target);
        all.add(made);
        return made;
    }

    /** Returns the minimum number of bytes that must be sent so that these workers have their parts. */
    long bytesToReach(List<Integer> workers) {
        if (isCreated()) {
            return 0;
        }
        long min = Long.MAX_VALUE;
        for (ShardedValue shardedValue : all) {
            Sharding has = shardedValue.sharding();
            boolean isThere = has.workers().equals(workers)
                    || has.isReplicated() && has.workers().containsAll(workers);
            long missing = workers.stream()
                    .filter(rank -> !has.workers().contains(rank))
                    .count();
            min = Math.min(min, isThere ? 0 : type.bytes() * Math.max(1, missing));
        }
        return min;
    }
}
