package dev.outpost.bench.peers;

import ai.djl.ndarray.NDManager;
import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import java.util.List;

/** The softmax of rows. */
final class SoftmaxWorkload implements Workload {
    private final long rows;
    private final long columns;

    SoftmaxWorkload(long rows, long columns) {
        this.rows = rows;
        this.columns = columns;
    }

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
