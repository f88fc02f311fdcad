package dev.outpost.bench;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.stats.MachineStats;
import java.util.ArrayList;
import java.util.List;

/** Measures the cost of small programs on a machine in another process. */
record EndToEnd(RemoteMachine machine) {
    private static final int CHAIN = 1000;

    /**
     * Returns the ops per second in chains of small ops whose results are all kept, so that the machine must compute each.
     */
    double opsPerSecond(int chains) {
        try (Tensor x = machine.ones(16, 16);
                Tensor y = machine.ones(16, 16)) {
            chain(x, y, 5);
            long start = System.nanoTime();
            chain(x, y, chains);
            return chains * (double) CHAIN / ((System.nanoTime() - start) / 1e9);
        }
    }

    /** Runs chains, and reads only the last result of the last one. */
    private void chain(Tensor x, Tensor y, int chains) {
        List<Tensor> results = new ArrayList<>(CHAIN);
        Tensor last = x;
        for (int chain = 0; chain < chains; chain++) {
            results.forEach(Tensor::close);
            results.clear();
            last = x;
            for (int op = 0; op < CHAIN; op++) {
                last = last.add(y);
                results.add(last);
            }
            machine.endStep();
        }
        last.toFloatArray();
        results.forEach(Tensor::close);
    }

    /** Returns the bytes on the wire for each op of a segment: the first time that it is sent, and a later time. */
    double[] wireBytes() {
        try (Tensor x = machine.ones(16, 16);
                Tensor y = machine.ones(16, 16)) {
            machine.synchronize();
            double first = wireBytesOfChain(x, y);
            wireBytesOfChain(x, y);
            return new double[] {first, wireBytesOfChain(x, y)};
        }
    }

    private double wireBytesOfChain(Tensor x, Tensor y) {
        MachineStats before = machine.stats();
        try (var scope = machine.scope()) {
            Tensor value = x;
            for (int op = 0; op < CHAIN; op++) {
                value = value.mul(y).add(x);
            }
        }
        machine.synchronize();
        MachineStats after = machine.stats();
        return (after.controlBytesOut() - before.controlBytesOut())
                / (double) (after.instructions() - before.instructions());
    }

    /** Returns the number of waits for the machine in 1,000 ops with one read at the end. */
    double waits() {
        try (Tensor x = machine.ones(16, 16);
                Tensor y = machine.ones(16, 16)) {
            long before = machine.stats().waits();
            chain(x, y, 1);
            return machine.stats().waits() - before;
        }
    }
}
