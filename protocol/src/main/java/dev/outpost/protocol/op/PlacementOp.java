package dev.outpost.protocol.op;

/**
 * Ops that say where a value's elements are, bring them there, or have another machine or another library do so. No engine sees them.
 */
public sealed interface PlacementOp extends Op
        permits AsStrided, Literal, Upload, Load, UpdateGuard, UpdateCommit, Collective, ModelOpen, ModelCall {
    /** Stands for no operand. */
    int NONE = -1;

    /**
     * The operand in whose memory a result lies, or {@link #NONE} where it has memory of its own, or none.
     *
     * @param result the place of the result
     * @param operands how many operands there are
     */
    default int sharedOperand(int result, int operands) {
        return NONE;
    }
}
