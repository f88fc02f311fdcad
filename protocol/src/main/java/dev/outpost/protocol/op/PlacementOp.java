package dev.outpost.protocol.op;

/**
 * Ops that place a value's elements, transfer them, or delegate the computation to another machine or library.
 * Engines never receive these ops.
 */
public sealed interface PlacementOp extends Op
        permits AsStrided, Literal, Upload, Load, UpdateGuard, UpdateCommit, Collective, ModelOpen, ModelCall {
    /** No operand. */
    int NONE = -1;

    /**
     * Returns the operand whose memory a result shares; {@link #NONE} if the result shares no operand's memory.
     *
     * @param result the index of the result
     * @param operands the number of operands
     */
    default int sharedOperand(int result, int operands) {
        return NONE;
    }
}
