package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * The indices (int64, {@code [count, rank]}) of the elements that are not zero, in row-major order. The client counts them first, so that
 * this op also has a known shape. A wrong count is an internal fault.
 *
 * @param count (structure) the number of these elements
 */
public record Nonzero(long count) implements Op {
    static final OpSignature SIGNATURE = new OpSignature(198, "nonzero", 1);

    static Nonzero read(AttributeReader in) {
        return new Nonzero(in.structure().varint());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(count);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        return Op.one(DType.INT64, Shape.of(count, operands[0].shape().rank()));
    }
}
