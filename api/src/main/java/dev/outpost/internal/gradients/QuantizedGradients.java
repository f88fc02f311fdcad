package dev.outpost.internal.gradients;

import dev.outpost.internal.OpRecording;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.QuantizedMatmul;
import dev.outpost.protocol.op.QuantizedMatmulInput;
import dev.outpost.types.OpException;

/** The rules of products with quantized weights. A product is linear in its rows, and its weights are constants. */
final class QuantizedGradients {
    private static final int SCALES = 2;

    private QuantizedGradients() {}

    static TensorState product(QuantizedMatmul op, OpNode node, TensorState g) {
        return byWeights(op, new QuantizedMatmulInput(op.bits(), op.group()), node, g);
    }

    static TensorState input(QuantizedMatmulInput op, OpNode node, TensorState g) {
        return byWeights(op, new QuantizedMatmul(op.bits(), op.group()), node, g);
    }

    private static TensorState byWeights(Op op, Op back, OpNode node, TensorState g) {
        if (node.needs(SCALES)) {
            throw new OpException(
                    op.label(), "no gradient flows to scales; detach() them, or multiply by weights that are floats");
        }
        return OpRecording.apply(back, g, node.input(1), node.input(SCALES), node.input(3));
    }
}
