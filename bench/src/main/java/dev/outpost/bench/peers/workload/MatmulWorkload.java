package dev.outpost.bench.peers.workload;

import ai.djl.ndarray.NDManager;
import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.bench.peers.contestant.Computation;
import dev.outpost.bench.peers.contestant.Contestant;
import dev.outpost.bench.peers.contestant.DjlComputation;
import dev.outpost.bench.peers.contestant.OpenBlasPeer;
import dev.outpost.bench.peers.contestant.RandomValues;
import dev.outpost.bench.peers.contestant.Workload;
import java.util.List;
import java.util.Optional;

/** One product of two square matrices. */
public record MatmulWorkload(int size) implements Workload {
    @Override
    public String name() {
        return "matmul-" + size;
    }

    @Override
    public double tolerance() {
        return 1e-5;
    }

    @Override
    public List<HostTensor> inputs(RandomValues values) {
        return List.of(values.uniform(1, size, size), values.uniform(1, size, size));
    }

    @Override
    public Computation ours(RemoteMachine machine) {
        return inputs -> inputs.get(0).matmul(inputs.get(1));
    }

    @Override
    public DjlComputation djl(NDManager manager) {
        return inputs -> inputs.get(0).matMul(inputs.get(1));
    }

    @Override
    public Optional<Contestant> specialist() {
        return Optional.of(new OpenBlasPeer(size));
    }
}
