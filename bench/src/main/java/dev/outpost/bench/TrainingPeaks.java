package dev.outpost.bench;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.bench.peers.contestant.Computation;
import dev.outpost.bench.peers.contestant.RandomValues;
import dev.outpost.bench.peers.contestant.Workload;
import dev.outpost.bench.peers.workload.Suite;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.provider.Endpoint;
import dev.outpost.system.speed.SentGraphs;
import dev.outpost.system.speed.TrainingPeak;
import java.util.List;

/**
 * Compares the memory that a step of each training workload holds on the machine with the least that any order of its
 * instructions would need.
 */
final class TrainingPeaks {
    private static final long SEED = 11;

    private TrainingPeaks() {}

    static void addTo(MeasuredFigures figures) throws InterruptedException {
        for (Workload workload : Suite.TRAININGS) {
            figures.add("peak_over_least_" + workload.name(), of(workload), "aim: at most 1.2");
        }
    }

    /**
     * Returns the ratio for the largest segment of a step. The first step also creates the optimizer's state, so it is not
     * used.
     */
    private static double of(Workload workload) throws InterruptedException {
        SentGraphs sent = new SentGraphs(new AbsorbingRuntime());
        double max = 0;
        try (RemoteMachine machine = RemoteMachine.connect(new Endpoint.InProcess(sent), new MachineOptions())) {
            Computation computation = workload.ours(machine);
            List<Tensor> inputs = workload.inputs(new RandomValues(SEED)).stream()
                    .map(machine::tensor)
                    .toList();
            step(machine, computation, inputs);
            int before = sent.graphs().size();
            step(machine, computation, inputs);
            for (Graph graph : sent.graphs().subList(before, sent.graphs().size())) {
                max = Math.max(max, TrainingPeak.of(graph).overLeast());
            }
        }
        return max;
    }

    private static void step(RemoteMachine machine, Computation computation, List<Tensor> inputs) {
        try (Scope scope = machine.scope()) {
            computation.step(inputs);
        }
        machine.synchronize();
    }
}
