package dev.outpost.internal.graph;

import dev.outpost.internal.TensorState;
import dev.outpost.types.DType;

/** The backward of an op: the tensors that its node saves, and the rule for gradients. */
public interface GradientRule {
    boolean savesInput(OpNode node, int input);

    boolean savesOutput(DType dtype);

    /** Computes the gradients of the inputs from those of the outputs; null if none flows. */
    TensorState[] backwardOf(OpNode node, TensorState[] gradients);
}
