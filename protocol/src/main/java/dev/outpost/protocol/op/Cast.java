package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.TensorType;

/**
 * Converts numbers to another dtype. From a floating to an integral dtype, a number is truncated toward zero and then wraps. Every number
 * except zero becomes true.
 *
 * @param dtype (structure) the result's dtype
 */
public record Cast(DType dtype) implements Op {
    static final OpSignature SIGNATURE = new OpSignature(136, "to", 1);

    static Cast read(AttributeReader in) {
        return new Cast(in.dtype());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.dtype(dtype);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        return Op.one(dtype, operands[0].shape());
    }
}
