package dev.outpost.protocol.op;

import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Receives the attributes of an op. Bytes in {@code structure} are part of a plan's key. Bytes in {@code data} are passed to the kernel and
 * may differ from one run of a plan to the next. The structure alone decides if an op has data, and the types of its results.
 */
public record AttributeWriter(ByteWriter structure, ByteWriter data) {

    void dtype(DType dtype) {
        structure.u8(dtype.code());
    }

    void shape(Shape shape) {
        structure.varint(shape.rank());
        for (int dim = 0; dim < shape.rank(); dim++) {
            structure.varint(shape.size(dim));
        }
    }

    void type(TensorType type) {
        dtype(type.dtype());
        shape(type.shape());
    }

    void flag(boolean flag) {
        structure.u8(flag ? 1 : 0);
    }

    /** Writes the ordinal of a constant, so the order of the constants is part of the wire format. */
    void choice(Enum<?> choice) {
        structure.varint(choice.ordinal());
    }

    void real(double number) {
        data.fixed64(Double.doubleToRawLongBits(number));
    }

    /** Writes a number. Its dtype is structure, and its value is data. */
    void scalar(Scalar scalar) {
        dtype(scalar.dtype());
        data.fixed64(scalar.bits());
    }
}
