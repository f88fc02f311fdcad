package dev.outpost.bench.peers.workload;

import dev.outpost.bench.peers.contestant.Workload;
import java.util.List;
import java.util.stream.Stream;

/** The workloads, in the order of the table. */
public final class Suite {
    private static final int ROWS = 4096;
    private static final int COLUMNS = 1024;
    private static final int TRAINING_STEPS = 20;

    public static final Workload MLP = new MlpTraining("mlp-adam", TRAINING_STEPS, 1);

    public static final List<Workload> TRAININGS = List.of(MLP, new TransformerTraining(), new ConvolutionTraining());

    public static final List<Workload> WORKLOADS = workloads(
            new ElementwiseChain("elementwise-1000-of-16x16", 1000, 16, 16),
            new ElementwiseChain("elementwise-100-of-1m", 100, 1 << 20),
            new MatmulChain(),
            new SoftmaxWorkload(ROWS, COLUMNS),
            new SoftmaxGradient(ROWS, COLUMNS),
            new LayerNormForward(ROWS, COLUMNS),
            new LayerNormGradient(ROWS, COLUMNS),
            new MatmulWorkload(1024),
            new MatmulWorkload(2048));

    private Suite() {}

    /** Returns these workloads, followed by the trainings. */
    private static List<Workload> workloads(Workload... computations) {
        return Stream.concat(Stream.of(computations), TRAININGS.stream()).toList();
    }
}
