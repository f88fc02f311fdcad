package dev.outpost.bench.peers.workload;

import ai.djl.ndarray.NDManager;
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
import dev.outpost.optim.AdamW;
import java.util.List;
import java.util.Map;

/** Training steps of a {@link TransformerModel}: 4 layers, width 256, 8 heads, sequence 128, batch 8, with AdamW. */
final class TransformerTraining implements Workload {
    private static final TransformerSizes SIZES = new TransformerSizes(4, 256, 8, 128, 256);
    private static final int BATCH = 8;
    private static final float LEARNING_RATE = 3e-4f;
    private static final float WEIGHT_DECAY = 0.01f;

    @Override
    public String name() {
        return "transformer-adamw";
    }

    @Override
    public int steps() {
        return 2;
    }

    /** The tolerance of losses; see {@link MlpTraining}. */
    @Override
    public double tolerance() {
        return 1e-3;
    }

    @Override
    public List<HostTensor> inputs(RandomValues values) {
        return List.of(
                values.classes(SIZES.vocabulary(), BATCH, SIZES.sequence()),
                values.classes(SIZES.vocabulary(), BATCH, SIZES.sequence()));
    }

    @Override
    public Map<String, HostTensor> weights() {
        return InitialWeights.of(new TransformerModel(SIZES));
    }

    @Override
    public Computation ours(RemoteMachine machine) {
        TransformerModel model = new TransformerModel(SIZES);
        model.to(machine, weights());
        AdamW optimizer = new AdamW(model.parameters(), LEARNING_RATE).weightDecay(WEIGHT_DECAY);
        return inputs -> {
            optimizer.zeroGrad();
            Tensor loss = Functional.crossEntropy(
                    model.forward(inputs.get(0)), inputs.get(1).flatten());
            loss.backward();
            optimizer.step();
            return loss;
        };
    }

    @Override
    public DjlComputation djl(NDManager manager) {
        Optimizer optimizer = Optimizer.adamW()
                .optLearningRateTracker(Tracker.fixed(LEARNING_RATE))
                .optWeightDecays(WEIGHT_DECAY)
                .build();
        return new DjlTraining(manager, weights(), optimizer, new DjlTransformer(manager, SIZES));
    }
}
