package dev.outpost.protocol.op;

import dev.outpost.types.TensorType;

/**
 * Elements that arrive on the bulk lane under an upload number. The segment waits for the last byte.
 *
 * @param type (structure) dtype and shape
 * @param upload (data) the number that the chunks carry, unique in the session
 */
public record Upload(TensorType type, long upload) implements PlacementOp {
    static final OpSignature SIGNATURE = new OpSignature(173, "upload", 0);

    static Upload read(AttributeReader in) {
        return new Upload(in.type(), in.data().varint());
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.type(type);
        out.data().varint(upload);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        return new TensorType[] {type};
    }
}
