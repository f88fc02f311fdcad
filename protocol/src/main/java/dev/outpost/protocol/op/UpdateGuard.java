package dev.outpost.protocol.op;

import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;

/**
 * The begin of an update that changes all of its states or none, such as an optimizer's step. Operands are the gradients and
 * then the states (parameters, moments). Results are, in this order: the gradients and the states once more, for the
 * instructions of the update; and for each state what {@link UpdateCommit} goes back to.
 *
 * <p>If no operand is lost, the first results are the operands themselves and nothing is kept to go back to, so the update
 * may write over the states. If one is lost, all of the first results are lost with it, and the states are kept. A
 * primitive because no other op computes anything from a lost value.
 *
 * @param gradients (structure) how many of the operands are gradients
 * @param update (data) by which the client is told that the update did not happen
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
