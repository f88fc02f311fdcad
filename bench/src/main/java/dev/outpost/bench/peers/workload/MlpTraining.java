package dev.outpost.bench.peers.workload;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.nn.Activation;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.bench.peers.contestant.Computation;
import dev.outpost.bench.peers.contestant.DjlComputation;
import dev.outpost.bench.peers.contestant.InitialWeights;
import dev.outpost.bench.peers.contestant.RandomValues;
import dev.outpost.bench.peers.contestant.Workload;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.optim.Adam;
import java.util.List;
import java.util.Map;

/** Training steps of 784-512-10 on batches of 64 with Adam. */
public record MlpTraining(String name, int batches, int epochs) implements Workload {
    private static final int BATCH = 64;
    private static final int PIXELS = 784;
    private static final int HIDDEN = 512;
    private static final int CLASSES = 10;
    private static final float LEARNING_RATE = 1e-3f;

    @Override
    public int steps() {
        return epochs * batches;
    }

    /** The tolerance of losses; the libraries add Adam's epsilon at different places. */
    @Override
    public double tolerance() {
        return 1e-3;
    }

    @Override
    public List<HostTensor> inputs(RandomValues values) {
        return List.of(values.uniform(1, BATCH, PIXELS), values.classes(CLASSES, BATCH));
    }

    private static Sequential model() {
        return new Sequential(new Linear(PIXELS, HIDDEN), new ReLU(), new Linear(HIDDEN, CLASSES));
    }

    @Override
    public Map<String, HostTensor> weights() {
        return InitialWeights.of(model());
    }

    @Override
    public Computation ours(RemoteMachine machine) {
        Sequential model = model().to(machine, weights());
        Adam optimizer = new Adam(model.parameters(), LEARNING_RATE);
        return inputs -> {
            optimizer.zeroGrad();
            Tensor loss = Functional.crossEntropy(model.forward(inputs.get(0)), inputs.get(1));
            loss.backward();
            optimizer.step();
            return loss;
        };
    }

    @Override
    public DjlComputation djl(NDManager manager) {
        Optimizer optimizer = Optimizer.adam()
                .optLearningRateTracker(Tracker.fixed(LEARNING_RATE))
                .build();
        return new DjlTraining(manager, weights(), optimizer, MlpTraining::forward);
    }

    private static NDArray forward(Map<String, NDArray> weights, NDArray x) {
        NDArray hidden = Activation.relu(DjlLayers.linear(x, weights, "0"));
        return DjlLayers.linear(hidden, weights, "2");
    }
}
