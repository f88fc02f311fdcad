package dev.outpost.bench.peers.workload;

import ai.djl.ndarray.NDManager;
import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.bench.peers.contestant.Computation;
import dev.outpost.bench.peers.contestant.DjlComputation;
import dev.outpost.bench.peers.contestant.RandomValues;
import dev.outpost.bench.peers.contestant.Workload;
import java.util.List;

/** The gradient of a weighted sum of a {@link SoftmaxWorkload}. */
record SoftmaxGradient(long rows, long columns) implements Workload {
    @Override
    public String name() {
        return "softmax-forward-backward";
    }

    @Override
    public double tolerance() {
        return 1e-5;
    }

    @Override
    public List<HostTensor> inputs(RandomValues values) {
        return List.of(values.uniform(4, rows, columns), values.uniform(1, rows, columns));
    }

    @Override
    public Computation ours(RemoteMachine machine) {
        return inputs -> {
            Tensor x = inputs.get(0).requiresGrad(true);
            x.softmax(-1).mul(inputs.get(1)).sum().backward();
            return x.grad();
        };
    }

    @Override
    public DjlComputation djl(NDManager manager) {
        return inputs -> DjlGradient.of(
                inputs.get(0), x -> x.softmax(-1).mul(inputs.get(1)).sum());
    }
}
