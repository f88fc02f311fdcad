package dev.outpost.protocol.op;

import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * A view of a contiguous value: nothing is computed or copied.
 *
 * @param layout shape and strides (structure) and offset (data) over the operand's elements in row-major order
 */
public record AsStrided(Layout layout) implements PlacementOp {
    static final OpSignature SIGNATURE = new OpSignature(160, "as_strided", 1);

    static AsStrided read(AttributeReader in) {
        return new AsStrided(readLayout(in));
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        writeLayout(layout, out);
    }

    @Override
    public int sharedOperand(int result, int operands) {
        return 0;
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        requireWithin(this, layout, operands[0]);
        return Op.one(operands[0].dtype(), layout.shape());
    }

    static void requireWithin(Op op, Layout layout, TensorType base) {
        if (!layout.shape().isEmpty() && layout.end() > base.shape().elements()) {
            throw new OpException(
                    op.label(), "the view reaches beyond its base, got " + layout + " over " + base.shape());
        }
    }

    static void writeLayout(Layout layout, AttributeWriter out) {
        out.shape(layout.shape());
        for (int dim = 0; dim < layout.rank(); dim++) {
            out.structure().varint(layout.stride(dim));
        }
        out.data().varint(layout.offset());
    }

    static Layout readLayout(AttributeReader in) {
        Shape shape = in.shape();
        long[] strides = new long[shape.rank()];
        for (int dim = 0; dim < strides.length; dim++) {
            strides[dim] = in.structure().varint();
        }
        return Layout.of(shape, strides, in.data().varint());
    }
}
