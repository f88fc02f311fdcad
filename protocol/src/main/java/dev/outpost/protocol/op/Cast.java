package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.TensorType;

/**
 * The same numbers in another dtype: floating to integral truncates toward zero and then wraps, anything but zero is
 * true.
 *
 * @param dtype (structure) the result's dtype
 */
public record Cast(DType dtype) implements Op {
    static final int CODE = 136;

    static Cast read(AttributeReader in) {
        return new Cast(in.dtype());
    }

    @Override
    public int code() {
        return CODE;
    }

    @Override
    public String label() {
        return "to";
    }

    @Override
    public int arity() {
        return 1;
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
