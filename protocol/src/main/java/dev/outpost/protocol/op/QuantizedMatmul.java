package dev.outpost.protocol.op;

import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * The product of rows and a matrix of weights that are stored as small integers. Operands are the rows {@code [rows, inputs]} of float32,
 * float16 or bfloat16, the codes {@code [outputs, inputs · bits / 8]}, uint8, the scales, of one of these float dtypes, and the zero
 * points, uint8. Scales and zero points are {@code [outputs, inputs / group]}: one for each {@code group} of neighbouring inputs of an
 * output. A weight is {@code (code − zero) · scale}. If a byte holds two codes of 4 bits, the first one is in its lower half.
 *
 * <p>The result is {@code [rows, outputs]} in the dtype of the rows. Products are summed in float32. An engine may round a weight to the
 * dtype of the rows before it multiplies it, as tensor cores need it. It is a primitive, because a composition would write the weights to
 * memory as floats. A product with few rows is fast only if it reads a few bits per weight.
 *
 * @param bits (structure) the bits of a code: 4 or 8
 * @param group (structure) the number of inputs that share a scale
 */
public record QuantizedMatmul(int bits, int group) implements Op {

    static final int OPERANDS = 4;
    static final OpSignature SIGNATURE = new OpSignature(220, "quantized_matmul", OPERANDS);

    static QuantizedMatmul read(AttributeReader in) {
        return new QuantizedMatmul(
                in.structure().smallInt("bits"), in.structure().smallInt("group"));
    }

    @Override
    public OpSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void writeAttributes(AttributeWriter out) {
        out.structure().varint(bits);
        out.structure().varint(group);
    }

    @Override
    public TensorType[] infer(TensorType... operands) {
        QuantizedWeights.requireTypes(this, bits, "rows", operands);
        Shape rows = operands[0].shape();
        Shape codes = operands[1].shape();
        boolean fits = rows.rank() == 2
                && QuantizedWeights.fit(bits, group, rows.size(1), codes, operands[2].shape(), operands[3].shape());
        if (!fits) {
            throw new OpException(
                    label(),
                    "rows, codes, scales and zero points must be [rows, inputs], [outputs, inputs · " + bits
                            + " / 8], and [outputs, inputs / " + group + "] twice, got " + rows + ", " + codes + ", "
                            + operands[2].shape() + " and " + operands[3].shape());
        }
        return Op.one(operands[0].dtype(), Shape.of(rows.size(0), codes.size(0)));
    }
}
