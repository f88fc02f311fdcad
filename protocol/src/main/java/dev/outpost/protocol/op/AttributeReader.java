package dev.outpost.protocol.op;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/** The counterpart of {@link AttributeWriter}. */
public record AttributeReader(ByteReader structure, ByteReader data) {

    DType dtype() {
        return DType.ofCode(structure.u8());
    }

    Shape shape() {
        int rank = structure.count("rank", 1);
        if (rank > Shape.MAX_RANK) {
            throw new MalformedException("rank " + rank + " is over " + Shape.MAX_RANK);
        }
        long[] sizes = new long[rank];
        for (int dim = 0; dim < rank; dim++) {
            sizes[dim] = structure.varint();
        }
        return Shape.of(sizes);
    }

    TensorType type() {
        return new TensorType(dtype(), shape());
    }

    boolean flag() {
        return structure.u8() != 0;
    }

    /** Returns the counterpart of {@link AttributeWriter#choice}. */
    <E extends Enum<E>> E choice(String what, E[] choices) {
        int number = structure.smallInt(what);
        if (number >= choices.length) {
            throw new MalformedException(what + " is unknown: " + number);
        }
        return choices[number];
    }

    double real() {
        return Double.longBitsToDouble(data.fixed64());
    }

    Scalar scalar() {
        return new Scalar(dtype(), data.fixed64());
    }
}
