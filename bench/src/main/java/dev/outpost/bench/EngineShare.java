package dev.outpost.bench;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.bench.peers.contestant.Computation;
import dev.outpost.bench.peers.contestant.RandomValues;
import dev.outpost.bench.peers.contestant.Workload;
import dev.outpost.bench.statistics.Median;
import java.util.List;

/**
 * Measures the fraction of a training loop's time in which the machine computes. The rest is recording, the wire and waiting.
 */
final class EngineShare {
    private static final long SEED = 12;
    private static final int STEPS = 200;

    private final RemoteMachine machine;
    private final Computation computation;
    private final List<Tensor> inputs;

    EngineShare(RemoteMachine machine, Workload workload) {
        this.machine = machine;
        this.computation = workload.ours(machine);
        this.inputs = workload.inputs(new RandomValues(SEED)).stream()
                .map(machine::tensor)
                .toList();
    }

    double measure(WarmUp warmUp, int rounds) {
        long start = System.nanoTime();
        for (int round = 0; !warmUp.isOver(round, System.nanoTime() - start); round++) {
            run();
        }
        Median share = new Median();
        for (int round = 0; round < rounds; round++) {
            share.add(run());
        }
        return share.value();
    }

    private double run() {
        long engineBefore = machine.stats().engineNanos();
        long start = System.nanoTime();
        for (int step = 0; step < STEPS; step++) {
            try (Scope scope = machine.scope()) {
                computation.step(inputs);
            }
        }
        machine.synchronize();
        double wholeNanos = System.nanoTime() - start;
        return (machine.stats().engineNanos() - engineBefore) / wholeNanos;
    }
}
