package dev.outpost.internal.gradients;

import dev.outpost.Tensor;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.QuantizedMatmul;
import dev.outpost.protocol.op.QuantizedMatmulInput;
import dev.outpost.types.OpException;

/** The rules of products with weights of a few bits. A product is linear in its rows, and its weights are constants. */
final class QuantizedGradients {
    private static final int SCALES = 2;

    private QuantizedGradients() {}

    static Tensor[] product(QuantizedMatmul op, OpNode node, Tensor g) {
        return byWeights(op, new QuantizedMatmulInput(op.bits(), op.group()), node, g);
    }

    static Tensor[] input(QuantizedMatmulInput op, OpNode node, Tensor g) {
        return byWeights(op, new QuantizedMatmul(op.bits(), op.group()), node, g);
    }

    private static Tensor[] byWeights(Op op, Op back, OpNode node, Tensor g) {
        if (node.needs(SCALES)) {
            throw new OpException(
                    op.label(), "no gradient flows to scales; detach() them, or multiply by weights that are floats");
        }
        Tensor[] gradients = new Tensor[node.inputCount()];
        gradients[0] = Dispatch.applyAll(
                back, g, (Tensor) node.input(1), (Tensor) node.input(SCALES), (Tensor) node.input(3))[0];
        return gradients;
    }
}
