package dev.outpost.internal.graph;

import dev.outpost.internal.TensorState;
import dev.outpost.types.DType;

/** What the node of an op saves, and how it goes back. */
public interface GradientRule {
    boolean savesInput(OpNode node, int input);

    boolean savesOutput(DType dtype);

    /** The gradients of the inputs from those of the outputs; null where none flows. */
    TensorState[] backwardOf(OpNode node, TensorState[] gradients);
}
