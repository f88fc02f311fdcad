package dev.outpost.autograd;

import dev.outpost.Tensor;
import dev.outpost.internal.graph.Differentiation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reverse-mode differentiation: walks the graph from the outputs in the reverse of the order in which it was recorded.
 * Gradients are computed by tensor ops, so they can be differentiated again.
 */
public final class Autograd {
    private Autograd() {}

    /** Accumulates gradients in the leaves; see {@link Tensor#backward(Tensor, boolean)}. */
    public static void backward(Tensor output, @Nullable Tensor gradient, boolean retainGraph) {
        Differentiation.backward(output, gradient, retainGraph);
    }

    /**
     * Like {@link #grad(Tensor, List, Tensor, boolean, boolean)}, but with an output gradient of 1. Does not keep the
     * graph.
     *
     * {@snippet file="TrainingExamplesTest.java" region="grad"}
     */
    public static List<@Nullable Tensor> grad(Tensor output, List<Tensor> inputs) {
        return grad(output, inputs, null, false, false);
    }

    /**
     * Computes the gradients of {@code output} with respect to {@code inputs} (torch.autograd.grad). Does not change the gradients of
     * leaves.
     *
     * @param gradient the gradient of the output, with its shape; null means 1, for a scalar
     * @param retainGraph true to keep the saved values for another backward
     * @param createGraph true if the gradients are differentiated again; this keeps the saved values, too
     * @return one gradient for each input; null if the output does not depend on it
     */
    public static List<@Nullable Tensor> grad(
            Tensor output, List<Tensor> inputs, @Nullable Tensor gradient, boolean retainGraph, boolean createGraph) {
        return Differentiation.grad(output, inputs, gradient, retainGraph, createGraph);
    }
}
