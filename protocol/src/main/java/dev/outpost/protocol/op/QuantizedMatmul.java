package dev.outpost.protocol.op;

import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * The product of rows and a matrix of weights that are stored as small integers. Operands are the rows {@code [rows, inputs]} of float32,
 * float16 or bfloat16, the codes {@code [outputs, inputs · bits / 8]}, uint8, and for each {@code group} of neighbouring inputs of
 * an output a scale, of one of these dtypes, and a zero point, uint8, both {@code [outputs, inputs / group]}. A weight is
 * {@code (code − zero) · scale}. Of two codes of 4 bits in a byte the first is in its lower half.
 *
 * <p>The result is {@code [rows, outputs]} in the dtype of the rows; products are summed in float32. Cannot be composed: the weights
 * would be written to memory as floats, and reading a few bits each is what makes a product with few rows fast.
 *
 * @param bits (structure) of a code: 4 or 8
 * @param group (structure) inputs that share a scale
 */
public record QuantizedMatmul(int bits, int group) implements Op {
    static final int CODE = 220;

    static final int OPERANDS = 4;

    static QuantizedMatmul read(AttributeReader in) {
        return new QuantizedMatmul(
                in.structure().smallInt("bits"), in.structure().smallInt("group"));
    }

    @Override
    public int code() {
        return CODE;
    }

    @Override
    public String label() {
        return "quantized_matmul";
    }

    @Override
    public int arity() {
        return OPERANDS;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(bits);
        out.structure().varint(group);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        if (bits != 4 && bits != 8) {
            throw new OpException(label(), "codes have 4 or 8 bits, got " + bits);
        }
        requireFloat("rows", operands[0].dtype());
        requireFloat("scales", operands[2].dtype());
        Op.requireDType(this, "codes", DType.UINT8, operands[1]);
        Op.requireDType(this, "zero points", DType.UINT8, operands[3]);
        requireShapes(operands[0].shape(), operands[1].shape(), operands[2].shape(), operands[3].shape());
        Shape result = Shape.of(operands[0].shape().size(0), operands[1].shape().size(0));
        return new TensorType[] {new TensorType(operands[0].dtype(), result)};
    }

    private void requireFloat(String what, DType dtype) {
        switch (dtype) {
            case FLOAT32, FLOAT16, BFLOAT16 -> {}
            case FLOAT64, INT64, INT32, INT16, INT8, UINT8, BOOL ->
                throw new OpException(label(), what + " must be float32, float16 or bfloat16, got " + dtype);
        }
    }

    private void requireShapes(Shape rows, Shape codes, Shape scales, Shape zeros) {
        boolean fits = rows.rank() == 2 && codes.rank() == 2 && scales.rank() == 2 && scales.equals(zeros);
        if (fits) {
            long inputs = rows.size(1);
            fits = group > 0
                    && inputs % group == 0
                    && group * (long) bits % 8 == 0
                    && codes.size(1) == inputs * bits / 8
                    && scales.size(0) == codes.size(0)
                    && scales.size(1) == inputs / group;
        }
        if (!fits) {
            throw new OpException(
                    label(),
                    "rows, codes, scales and zero points must be [rows, inputs], [outputs, inputs · " + bits
                            + " / 8], and [outputs, inputs / " + group + "] twice, got " + rows + ", " + codes + ", "
                            + scales + " and " + zeros);
        }
    }
}
