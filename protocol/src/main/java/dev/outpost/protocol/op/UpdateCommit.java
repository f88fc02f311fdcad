package dev.outpost.protocol.op;

import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;
import java.util.Arrays;

/**
 * Ends an update that an {@link UpdateGuard} began. The operands are the values that the guard kept of each state,
 * followed by equally many new values. The results are the new values, or the kept ones if the update did not happen.
 */
public record UpdateCommit() implements PlacementOp {
    static final OpSignature SIGNATURE = new OpSignature(163, "update_commit", VARIADIC);

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public int sharedOperand(int result, int operands) {
        return operands / 2 + result;
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        int states = operands.length / 2;
        if (states == 0 || operands.length != 2 * states) {
            throw new OpException(
                    label(), "a kept and a new value of each state are needed, got " + operands.length + " operands");
        }
        for (int state = 0; state < states; state++) {
            if (!operands[state].equals(operands[states + state])) {
                throw new OpException(
                        label(),
                        "a new value must be as the kept one, got " + operands[states + state] + " and "
                                + operands[state]);
            }
        }
        return Arrays.copyOfRange(operands, states, operands.length);
    }
}
