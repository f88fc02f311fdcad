package dev.outpost.bench.peers.workload;

import ai.djl.ndarray.NDManager;
import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.bench.peers.contestant.Computation;
import dev.outpost.bench.peers.contestant.DjlComputation;
import dev.outpost.bench.peers.contestant.RandomValues;
import dev.outpost.bench.peers.contestant.Workload;
import java.util.List;

/** The softmax of rows. */
record SoftmaxWorkload(long rows, long columns) implements Workload {
    @Override
    public String name() {
        return "softmax-forward";
    }

    @Override
    public double tolerance() {
        return 1e-5;
    }

    @Override
    public List<HostTensor> inputs(RandomValues values) {
        return List.of(values.uniform(4, rows, columns));
    }

    @Override
    public Computation ours(RemoteMachine machine) {
        return inputs -> inputs.getFirst().softmax(-1);
    }

    @Override
    public DjlComputation djl(NDManager manager) {
        return inputs -> inputs.getFirst().softmax(-1);
    }
}
