package dev.outpost.bench.peers.workload;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.pooling.Pool;
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
import dev.outpost.nn.Flatten;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.MaxPool2d;
import dev.outpost.nn.ReLU;
import dev.outpost.nn.Sequential;
import dev.outpost.optim.AdamW;
import java.util.List;
import java.util.Map;

/** Training steps of a convolutional net on batches of 64 images of 28×28, with AdamW: 32 and 64 channels, 128, 10. */
public final class ConvolutionTraining implements Workload {
    private static final int BATCH = 64;
    private static final int SIDE = 28;
    private static final int KERNEL = 3;
    private static final int FIRST = 32;
    private static final int SECOND = 64;
    private static final int FLAT = 5 * 5 * SECOND;
    private static final int HIDDEN = 128;
    private static final int CLASSES = 10;
    private static final int STEPS = 4;
    private static final float LEARNING_RATE = 1e-3f;
    private static final float DECAY = 0.01f;

    @Override
    public String name() {
        return "convolution-adamw";
    }

    @Override
    public int steps() {
        return STEPS;
    }

    /** The tolerance of losses; the libraries add Adam's epsilon at different places. */
    @Override
    public double tolerance() {
        return 1e-3;
    }

    @Override
    public List<HostTensor> inputs(RandomValues values) {
        return List.of(values.uniform(1, BATCH, 1, SIDE, SIDE), values.classes(CLASSES, BATCH));
    }

    private static Sequential model() {
        return new Sequential(
                new dev.outpost.nn.Conv2d(1, FIRST, KERNEL),
                new ReLU(),
                new MaxPool2d(2),
                new dev.outpost.nn.Conv2d(FIRST, SECOND, KERNEL),
                new ReLU(),
                new MaxPool2d(2),
                new Flatten(),
                new Linear(FLAT, HIDDEN),
                new ReLU(),
                new Linear(HIDDEN, CLASSES));
    }

    @Override
    public Map<String, HostTensor> weights() {
        return InitialWeights.of(model());
    }

    @Override
    public Computation ours(RemoteMachine machine) {
        Sequential model = model().to(machine, weights());
        AdamW optimizer = new AdamW(model.parameters(), LEARNING_RATE).weightDecay(DECAY);
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
        Optimizer optimizer = Optimizer.adamW()
                .optLearningRateTracker(Tracker.fixed(LEARNING_RATE))
                .optWeightDecays(DECAY)
                .build();
        return new DjlTraining(manager, weights(), optimizer, ConvolutionTraining::forward);
    }

    private static NDArray forward(Map<String, NDArray> weights, NDArray x) {
        NDArray first = block(x, weights, "0");
        NDArray second = block(first, weights, "3");
        NDArray flat = second.reshape(BATCH, FLAT);
        NDArray hidden = Activation.relu(DjlLayers.linear(flat, weights, "7"));
        return DjlLayers.linear(hidden, weights, "9");
    }

    private static NDArray block(NDArray x, Map<String, NDArray> weights, String name) {
        NDArray convolved = Conv2d.conv2d(x, weights.get(name + ".weight"), weights.get(name + ".bias"))
                .singletonOrThrow();
        return Pool.maxPool2d(Activation.relu(convolved), new Shape(2, 2), new Shape(2, 2), new Shape(0, 0), false);
    }
}
