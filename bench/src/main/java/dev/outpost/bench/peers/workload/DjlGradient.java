package dev.outpost.bench.peers.workload;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.training.GradientCollector;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** How DJL computes gradients. */
final class DjlGradient {
    private DjlGradient() {}

    /** The gradient of a function's result, one number, at x. */
    static NDArray of(NDArray x, UnaryOperator<NDArray> function) {
        x.setRequiresGradient(true);
        backward(() -> function.apply(x)).close();
        return x.getGradient();
    }

    /** Computes one number and the gradients behind it; answers the number. */
    static NDArray backward(Supplier<NDArray> forward) {
        try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
            NDArray loss = forward.get();
            collector.backward(loss);
            return loss;
        }
    }
}
