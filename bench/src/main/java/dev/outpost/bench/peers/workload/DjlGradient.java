package dev.outpost.bench.peers.workload;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.training.GradientCollector;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Computes gradients with DJL. */
final class DjlGradient {
    private DjlGradient() {}

    /** Returns the gradient of a scalar function at x. */
    static NDArray of(NDArray x, UnaryOperator<NDArray> function) {
        x.setRequiresGradient(true);
        backward(() -> function.apply(x)).close();
        return x.getGradient();
    }

    /** Computes a scalar and its gradients. Returns the scalar. */
    static NDArray backward(Supplier<NDArray> forward) {
        try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
            NDArray loss = forward.get();
            collector.backward(loss);
            return loss;
        }
    }
}
