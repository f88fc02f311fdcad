package dev.outpost.protocol.op;

import dev.outpost.types.TensorType;

/**
 * Elements that arrive on the bulk lane under an upload number; the segment waits for the last byte.
 *
 * @param type (structure) dtype and shape
 * @param upload (data) the number that the chunks carry, unique in the session
 */
public record Upload(TensorType type, long upload) implements PlacementOp {
    static final int CODE = 173;

    static Upload read(AttributeReader in) {
        return new Upload(new TensorType(in.dtype(), in.shape()), in.data().varint());
    }

    @Override
    public int code() {
        return CODE;
    }

    @Override
    public String label() {
        return "upload";
    }

    @Override
    public int arity() {
        return 0;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.dtype(type.dtype());
        out.shape(type.shape());
        out.data().varint(upload);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        return new TensorType[] {type};
    }
}
