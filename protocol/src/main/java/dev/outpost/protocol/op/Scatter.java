package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * {@code out = base; out[index[i][j]][j] fn= source[i][j]} for axis 0, in row-major order of the index, so that
 * repeated indices have the same result on every engine. Operands: base, index (int64), source. An index out of
 * bounds is a user fault.
 *
 * @param fn combines an element of the source with the present one
 * @param axis (structure) the dimension that the index replaces
 * @param names (structure) the words of the error about an index
 */
public record Scatter(Fn fn, int axis, IndexNames names) implements Op {
    /** The difference between the code of an {@link IndexWrite} and the code of the scatter with the same function. */
    private static final int INDEX_WRITE_DISTANCE = 6;

    public Scatter(Fn fn, int axis) {
        this(fn, axis, IndexNames.PLAIN);
    }

    /** The combination of a written element with the present one. The wire codes are 184 to 188, and 190 to 194 for {@link IndexWrite}. */
    public enum Fn {
        /** The last written element stays. */
        SET(184, "scatter", "index_copy"),
        ADD(185, "scatter_add", "index_add"),
        MUL(186, "scatter_reduce_prod", "index_reduce_prod"),
        MAX(187, "scatter_reduce_amax", "index_reduce_amax"),
        MIN(188, "scatter_reduce_amin", "index_reduce_amin");

        final OpSignature signature;
        final OpSignature indexWrite;

        Fn(int code, String label, String indexWriteLabel) {
            signature = new OpSignature(code, label, 3);
            indexWrite = new OpSignature(code + INDEX_WRITE_DISTANCE, indexWriteLabel, 3);
        }
    }

    static Scatter read(Fn fn, AttributeReader in) {
        return new Scatter(fn, in.structure().smallInt("axis"), IndexNames.read(in));
    }

    @Override
    public OpSignature signature() {
        return fn.signature;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(axis);
        names.write(out);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        Shape base = operands[0].shape();
        Shape index = operands[1].shape();
        Dimension.require(this, axis, base);
        Op.requireDType(this, "the index", DType.INT64, operands[1]);
        Op.requireSameDType(this, operands[0], operands[2]);
        Dimension.requireWithin(this, "the index", index, "the base", base, axis);
        Dimension.requireWithin(this, "the index", index, "the source", operands[2].shape(), Dimension.NONE);
        return new TensorType[] {operands[0]};
    }

    @Override
    public String toString() {
        return "Scatter[fn=" + fn + ", axis=" + axis + "]";
    }
}
