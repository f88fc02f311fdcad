package dev.outpost.client.sharding;

import dev.outpost.sharding.Sharding;

/**
 * A value of the whole program in one placement.
 *
 * @param locals for each member the value of its own program, or {@link MemberProgram#NONE}
 */
record ShardedValue(Sharding sharding, int[] locals) {
    int local(int rank) {
        if (!isOn(rank)) {
            throw new IllegalStateException("member " + rank + " has nothing of a value that is " + sharding);
        }
        return locals[rank];
    }

    int localOrNone(int rank) {
        return isOn(rank) ? locals[rank] : MemberProgram.NONE;
    }

    boolean isOn(int rank) {
        return sharding.workers().contains(rank) && locals[rank] != MemberProgram.NONE;
    }
}
