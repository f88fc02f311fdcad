package dev.outpost.sharding;

import dev.outpost.protocol.op.Split;

/** What each machine of a group has of a tensor. Immutable. */
public sealed interface Placement {
    /** Each machine has all of it. */
    record Replicate() implements Placement {
        @Override
        public String toString() {
            return "replicate";
        }
    }

    /** Each machine has a tensor of the whole shape, and the value is their sum, which nobody has taken yet. */
    record Partial() implements Placement {
        @Override
        public String toString() {
            return "partial";
        }
    }

    /**
     * Each machine has some indices of a dimension.
     *
     * @param split which ones
     */
    record Shard(Split split) implements Placement {
        @Override
        public String toString() {
            return "shard(" + split.dim() + ") at " + split.bounds();
        }
    }

    /** That of all machines having all of it. */
    Placement REPLICATE = new Replicate();

    /** That of a sum which is still due. */
    Placement PARTIAL = new Partial();
}
