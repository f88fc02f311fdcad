package dev.outpost.protocol.op;

import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;

/**
 * Begins an update that changes either all of its states or none, such as an optimizer's step. Operands are the
 * gradients and then the states (parameters, moments). Results are, in this order: the gradients and the states
 * again, for the instructions of the update; and for each state the value that {@link UpdateCommit} restores if
 * needed.
 *
 * <p>If no operand is lost, the first results are the operands themselves and no state is kept for a restore, so the update may
 * overwrite the states. If one is lost, all of the first results are lost with it, and the states are kept. It is a primitive, because
 * no other op computes anything from a lost value.
 *
 * @param gradients (structure) the number of operands that are gradients
 * @param update (data) the number by which the client learns that the update did not happen
 */
public record UpdateGuard(int gradients, long update) implements PlacementOp {
    static final OpSignature SIGNATURE = new OpSignature(162, "update_guard", VARIADIC);

    static UpdateGuard read(AttributeReader in) {
        return new UpdateGuard(in.structure().smallInt("gradients"), in.data().varint());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(gradients);
        out.data().varint(update);
    }

    @Override
    public int sharedOperand(int result, int operands) {
        return result < operands ? result : NONE;
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        if (gradients < 0 || gradients >= operands.length) {
            throw new OpException(
                    label(),
                    "a gradient and a state are needed, got " + gradients + " gradients of " + operands.length
                            + " operands");
        }
        int states = operands.length - gradients;
        TensorType[] results = new TensorType[operands.length + states];
        System.arraycopy(operands, 0, results, 0, operands.length);
        System.arraycopy(operands, gradients, results, operands.length, states);
        return results;
    }
}
