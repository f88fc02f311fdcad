package dev.outpost.protocol.op;

import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;

/**
 * Operand 0 with the elements under a view replaced by operand 1: the effect of a write through a view. The view must not overlap
 * itself.
 *
 * @param layout shape and strides (structure) and offset (data) over operand 0's elements in row-major order
 */
public record StridedWrite(Layout layout) implements Op {
    static final OpSignature SIGNATURE = new OpSignature(161, "as_strided_scatter", 2);

    static StridedWrite read(AttributeReader in) {
        return new StridedWrite(AsStrided.readLayout(in));
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        AsStrided.writeLayout(layout, out);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Op.requireSameDType(this, operands[0], operands[1]);
        AsStrided.requireWithin(this, layout, operands[0]);
        if (!operands[1].shape().equals(layout.shape())) {
            throw new OpException(
                    label(),
                    "the source must have the view's shape, got " + operands[1].shape() + " and " + layout.shape());
        }
        if (!layout.isInjective()) {
            throw new OpException(label(), "a view whose elements share memory cannot be written, got " + layout);
        }
        return new TensorType[] {operands[0]};
    }
}
