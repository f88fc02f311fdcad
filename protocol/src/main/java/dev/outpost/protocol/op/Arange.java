package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * {@code start + i * step} for i from 0, computed in float64 or int64 and then rounded to the dtype.
 *
 * @param dtype (structure) the result's dtype, not bool
 * @param length (structure) the number of elements
 * @param start (data) the first element, float64 or int64
 * @param step (data) the difference of neighbouring elements, of start's dtype
 */
public record Arange(DType dtype, long length, Scalar start, Scalar step) implements Op {
    static final OpSignature SIGNATURE = new OpSignature(171, "arange", 0);

    static Arange read(AttributeReader in) {
        return new Arange(in.dtype(), in.structure().varint(), in.scalar(), in.scalar());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.dtype(dtype);
        out.structure().varint(length);
        out.scalar(start);
        out.scalar(step);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        boolean wide = start.dtype() == DType.FLOAT64 || start.dtype() == DType.INT64;
        if (dtype == DType.BOOL || !wide || step.dtype() != start.dtype()) {
            throw new OpException(
                    label(), "not defined for " + dtype + " from " + start.dtype() + " by " + step.dtype());
        }
        return Op.one(dtype, Shape.of(length));
    }
}
