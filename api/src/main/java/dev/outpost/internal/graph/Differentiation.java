package dev.outpost.internal.graph;

import dev.outpost.autograd.Autocast;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.OpRecording;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.graph.Node.Edge;
import dev.outpost.protocol.op.Fill;
import dev.outpost.types.OpException;
import dev.outpost.types.Scalar;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Backward passes from one output. */
public final class Differentiation {
    private Differentiation() {}

    /** Accumulates gradients in the leaves. */
    public static void backward(TensorState output, @Nullable TensorState gradient, boolean retainGraph) {
        requireDifferentiable("backward", output);
        try (BackwardPass pass = new BackwardPass(States.home(output), retainGraph, Map.of())) {
            pass.seed(States.gradientEdge(output), startingGradient("backward", output, gradient));
            run(pass, false);
        }
    }

    /** Computes the gradients of the output with respect to inputs; null for an input that it does not depend on. */
    @SuppressWarnings("unchecked")
    public static <T extends TensorState> List<@Nullable T> grad(
            T output, List<T> inputs, @Nullable T gradient, boolean retainGraph, boolean createGraph) {
        requireDifferentiable("grad", output);
        Map<Edge, TensorState> wanted = new HashMap<>();
        for (T input : inputs) {
            requireDifferentiable("grad", input);
            wanted.put(States.gradientEdge(input), null);
        }
        try (BackwardPass pass = new BackwardPass(States.home(output), retainGraph || createGraph, wanted)) {
            pass.seed(States.gradientEdge(output), startingGradient("grad", output, gradient));
            run(pass, createGraph);
            return inputs.stream()
                    .<@Nullable T>map(input -> (T) pass.found(input))
                    .toList();
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

    private static void requireDifferentiable(String op, TensorState tensor) {
        if (!tensor.requiresGrad()) {
            throw new OpException(
                    op,
                    "the tensor does not require gradients, got " + tensor.type()
                            + "; call requiresGrad(true) on what it is computed from, outside of noGrad");
        }
    }

    private static TensorState startingGradient(String op, TensorState output, @Nullable TensorState gradient) {
        if (gradient != null) {
            if (!gradient.shape().equals(output.shape())) {
                throw new OpException(
                        op,
                        "the gradient must have the output's shape, got " + gradient.shape() + " and "
                                + output.shape());
            }
            OpRecording.requireTogether(op, States.home(output), States.home(gradient));
            return gradient;
        }
        if (output.shape().elements() != 1) {
            throw new OpException(
                    op,
                    "only a scalar needs no gradient to start from, got " + output.shape()
                            + "; reduce it, as with sum(), or give a gradient of that shape");
        }
        return OpRecording.make(States.home(output), new Fill(output.shape(), Scalar.of(output.dtype(), 1L)));
    }
}
