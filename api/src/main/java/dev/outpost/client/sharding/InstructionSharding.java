package dev.outpost.client.sharding;

import dev.outpost.sharding.Sharding;

/** How an instruction is computed by some workers. */
interface InstructionSharding {
    /** The placement that an operand needs. */
    Sharding operand(int position);

    /** The placement that a result has then. */
    Sharding result(int position);

    /** Whether operands are gathered because no rule takes them as they are. */
    boolean isFallback();
}
