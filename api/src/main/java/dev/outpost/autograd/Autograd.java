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

    /** As the longer form, with a gradient of one, and without keeping the graph. */
    public static List<@Nullable Tensor> grad(Tensor output, List<Tensor> inputs) {
        return grad(output, inputs, null, false, false);
    }

    /**
     * The gradients of {@code output} with respect to {@code inputs} (torch.autograd.grad); leaves are left alone.
     *
     * @param gradient of the output's shape; null for one, if the output is a scalar
     * @param retainGraph whether what was saved is kept for another backward
     * @param createGraph whether the gradients can be differentiated again; keeps what was saved as well
     * @return one for each input; null where the output does not depend on it
     */
    public static List<@Nullable Tensor> grad(
            Tensor output, List<Tensor> inputs, @Nullable Tensor gradient, boolean retainGraph, boolean createGraph) {
        return Differentiation.grad(output, inputs, gradient, retainGraph, createGraph);
    }
}
