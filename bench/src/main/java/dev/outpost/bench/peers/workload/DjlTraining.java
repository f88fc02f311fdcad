package dev.outpost.bench.peers.workload;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import dev.outpost.HostTensor;
import dev.outpost.bench.peers.contestant.Djl;
import dev.outpost.bench.peers.contestant.DjlComputation;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;

/** Training steps with DJL's gradients, loss and optimizer, over named weights. */
final class DjlTraining implements DjlComputation {
    private final Map<String, NDArray> weights = new LinkedHashMap<>();
    private final Optimizer optimizer;
    private final BiFunction<Map<String, NDArray>, NDArray, NDArray> model;

    /** @param model maps weights and input to {@code [rows, classes]} */
    DjlTraining(
            NDManager manager,
            Map<String, HostTensor> initial,
            Optimizer optimizer,
            BiFunction<Map<String, NDArray>, NDArray, NDArray> model) {
        initial.forEach((name, values) -> {
            NDArray weight = Djl.array(manager, values);
            weight.setRequiresGradient(true);
            weights.put(name, weight);
        });
        this.optimizer = optimizer;
        this.model = model;
    }

    /** DJL's update also zeroes the gradients. */
    @Override
    public NDArray step(NDList inputs) {
        NDArray loss = DjlGradient.backward(() -> Loss.softmaxCrossEntropyLoss()
                .evaluate(new NDList(inputs.get(1).flatten()), new NDList(model.apply(weights, inputs.get(0)))));
        weights.forEach(this::update);
        return loss;
    }

    private void update(String name, NDArray weight) {
        try (NDArray gradient = weight.getGradient()) {
            optimizer.update(name, weight, gradient);
        }
    }
}
