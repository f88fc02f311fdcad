package dev.outpost.autograd;

import dev.outpost.internal.TensorState;
import dev.outpost.internal.Recording;
import dev.outpost.internal.States;
import dev.outpost.Tensor;
import dev.outpost.internal.Creation;
import dev.outpost.internal.graph.BackwardPass;
import dev.outpost.internal.graph.Node.Edge;
import dev.outpost.types.OpException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reverse-mode differentiation: walks the graph from the outputs in the reverse of the order in which it was recorded.
 * Gradients are computed by tensor ops, so they can be differentiated again.
 */
public final class Autograd {
    private Autograd() {}

    /** Accumulates gradients in the leaves; see {@link Tensor#backward(Tensor, boolean)}. */
    public static void backward(Tensor output, @Nullable Tensor gradient, boolean retainGraph) {
        requireDifferentiable("backward", output);
        try (BackwardPass pass = new BackwardPass(States.home(output), retainGraph, Map.of())) {
            pass.seed(States.gradientEdge(output), startingGradient("backward", output, gradient));
            run(pass, false);
        }
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
        requireDifferentiable("grad", output);
        Map<Edge, TensorState> wanted = new HashMap<>();
        for (Tensor input : inputs) {
            requireDifferentiable("grad", input);
            wanted.put(States.gradientEdge(input), null);
        }
        try (BackwardPass pass = new BackwardPass(States.home(output), retainGraph || createGraph, wanted)) {
            pass.seed(States.gradientEdge(output), startingGradient("grad", output, gradient));
            run(pass, createGraph);
            return inputs.stream().<@Nullable Tensor>map(input -> (Tensor) pass.found(input)).toList();
        }
    }

    private static void run(BackwardPass pass, boolean createGraph) {
        GradMode.with(
                createGraph,
                () -> Autocast.without(() -> {
                    pass.run();
                    return null;
                }));
    }

    private static void requireDifferentiable(String op, Tensor tensor) {
        if (!tensor.requiresGrad()) {
            throw new OpException(
                    op,
                    "the tensor does not require gradients, got " + tensor.type()
                            + "; call requiresGrad(true) on what it is computed from, outside of noGrad");
        }
    }

    private static Tensor startingGradient(String op, Tensor output, @Nullable Tensor gradient) {
        if (gradient != null) {
            if (!gradient.shape().equals(output.shape())) {
                throw new OpException(
                        op,
                        "the gradient must have the output's shape, got " + gradient.shape() + " and "
                                + output.shape());
            }
            Recording.requireTogether(op, States.home(output), States.home(gradient));
            return gradient;
        }
        if (output.numel() != 1) {
            throw new OpException(
                    op,
                    "only a scalar needs no gradient to start from, got " + output.shape()
                            + "; reduce it, as with sum(), or give a gradient of that shape");
        }
        return Creation.full(States.home(output), output.shape(), output.dtype(), 1);
    }
}
