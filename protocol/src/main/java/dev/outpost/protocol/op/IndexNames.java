package dev.outpost.protocol.op;

import dev.outpost.types.IndexException;

/**
 * The words of the error about an index out of bounds. An op that users call by another name, such as a loss that
 * picks the score of each label, has separate words: {@code cross_entropy: label 12 is out of range for 10 classes}.
 * All of it is structure: it never differs from step to step.
 *
 * @param op the op that the user called; empty if it is the primitive itself
 * @param noun the word for an index, such as {@code label}
 * @param unit the word for the indexed elements, in the plural, such as {@code classes}
 * @param layer the name of the layer that it belongs to, or an empty string
 */
public record IndexNames(String op, String noun, String unit, String layer) {
    /** The words of the primitives. */
    public static final IndexNames PLAIN = new IndexNames("", "", "", "");

    static IndexNames read(AttributeReader in) {
        String op = in.structure().string();
        return op.isEmpty()
                ? PLAIN
                : new IndexNames(
                        op,
                        in.structure().string(),
                        in.structure().string(),
                        in.structure().string());
    }

    void write(AttributeWriter out) {
        out.structure().string(op);
        if (!op.isEmpty()) {
            out.structure().string(noun);
            out.structure().string(unit);
            out.structure().string(layer);
        }
    }

    /** Makes the error of an index into a dimension of a primitive's operand. */
    public static IndexException refusal(Op primitive, long index, int axis, long size) {
        IndexNames names = of(primitive);
        return names.op.isEmpty()
                ? new IndexException(
                        primitive.label(),
                        "index " + index + " is out of bounds for dimension " + axis + " with size " + size,
                        index,
                        size)
                : names.refusal(index, size);
    }

    private static IndexNames of(Op primitive) {
        return switch (primitive) {
            case Gather gather -> gather.names();
            case IndexSelect select -> select.names();
            case Scatter scatter -> scatter.names();
            case IndexWrite write -> write.names();
            default -> PLAIN;
        };
    }

    private IndexException refusal(long index, long size) {
        String where = layer.isEmpty() ? "" : ", in layer " + layer;
        return new IndexException(
                op, noun + " " + index + " is out of range for " + size + " " + unit + where, index, size);
    }
}
