package dev.outpost.protocol.op;

import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;

/**
 * A few elements that are sent inside the segment; larger data is an {@link Upload}.
 *
 * @param type (structure) dtype and shape
 * @param elements (data) row-major, each little-endian, bool as one byte of 0 or 1; at most {@link #MAX_BYTES}
 */
public record Literal(TensorType type, byte[] elements) implements PlacementOp {
    static final OpSignature SIGNATURE = new OpSignature(172, "tensor", 0);

    /** The maximum number of bytes. Above it, a separate bulk stream is cheaper than a longer segment. */
    public static final int MAX_BYTES = 4096;

    static Literal read(AttributeReader in) {
        return new Literal(in.type(), in.data().block());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.type(type);
        out.data().block(elements);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        if (elements.length > MAX_BYTES || elements.length != type.bytes()) {
            throw new OpException(
                    label(),
                    "the bytes must fit the type and be at most " + MAX_BYTES + ", got " + elements.length + " for "
                            + type);
        }
        return new TensorType[] {type};
    }
}
