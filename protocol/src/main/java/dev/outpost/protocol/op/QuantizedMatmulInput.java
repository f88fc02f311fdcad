package dev.outpost.protocol.op;

import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;

/**
 * The gradient of {@link QuantizedMatmul} with respect to its rows: the product of gradients {@code [rows, outputs]} and the weights
 * {@code [outputs, inputs]}. The other operands are the codes, scales and zero points of the product.
 *
 * <p>The result is {@code [rows, inputs]} in the dtype of the gradients. Products are summed in float32. An engine may round weights to
 * that dtype before it multiplies them. It is a primitive, because a composition would write the weights to memory as floats in each step
 * of training.
 *
 * @param bits (structure) the bits of a code: 4 or 8
 * @param group (structure) the number of inputs that share a scale
 */
public record QuantizedMatmulInput(int bits, int group) implements Op {
    static final OpSignature SIGNATURE = new OpSignature(222, "quantized_matmul_input", QuantizedMatmul.OPERANDS);

    static QuantizedMatmulInput read(AttributeReader in) {
        return new QuantizedMatmulInput(
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
        QuantizedWeights.requireTypes(this, bits, "gradients", operands);
        Shape gradients = operands[0].shape();
        Shape codes = operands[1].shape();
        Shape scales = operands[2].shape();
        long inputs = scales.rank() == 2 ? scales.size(1) * group : 0;
        boolean fits = gradients.rank() == 2
                && QuantizedWeights.fit(bits, group, inputs, codes, scales, operands[3].shape())
                && gradients.size(1) == codes.size(0);
        if (!fits) {
            throw new OpException(
                    label(),
                    "gradients, codes, scales and zero points must be [rows, outputs], [outputs, inputs · " + bits
                            + " / 8], and [outputs, inputs / " + group + "] twice, got " + gradients + ", " + codes
                            + ", " + scales + " and " + operands[3].shape());
        }
        return Op.one(operands[0].dtype(), Shape.of(gradients.size(0), inputs));
    }
}
