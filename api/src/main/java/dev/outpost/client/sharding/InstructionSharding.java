package dev.outpost.client.sharding;

import dev.outpost.sharding.Sharding;

/** The placement by which some workers compute an instruction. */
interface InstructionSharding {
    /** Returns the placement that an operand needs. */
    Sharding operand(int position);

    Sharding result(int position);

    /** Returns true if operands are gathered because no rule accepts their placements. */
    boolean isFallback();
}
