package dev.outpost.protocol.op;

import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * Where an op writes its attributes. What goes to {@code structure} is part of a plan's key; what goes to {@code data}
 * is handed to the kernel and may differ from one run of the same plan to the next. Whether an op has data at all, and the
 * types of its results, are structure.
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

    /** By its place among the choices; places are on the wire. */
    void choice(Enum<?> choice) {
        structure.varint(choice.ordinal());
    }

    void real(double number) {
        data.fixed64(Double.doubleToRawLongBits(number));
    }

    /** The dtype is structure, the number is data. */
    void scalar(Scalar scalar) {
        dtype(scalar.dtype());
        data.fixed64(scalar.bits());
    }
}
