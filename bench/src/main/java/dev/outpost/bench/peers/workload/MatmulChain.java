package dev.outpost.bench.peers.workload;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.bench.peers.contestant.Computation;
import dev.outpost.bench.peers.contestant.DjlComputation;
import dev.outpost.bench.peers.contestant.RandomValues;
import dev.outpost.bench.peers.contestant.Workload;
import java.util.List;

/** 1,000 products of 16×16 matrices in sequence, with two alternating factors: no products can be fused. */
final class MatmulChain implements Workload {
    private static final int PRODUCTS = 1000;
    private static final int SIZE = 16;

    @Override
    public String name() {
        return "matmul-1000-of-16";
    }

    /** Allows 1,000 roundings of each library; the factors are orthogonal, so errors add up but are not amplified. */
    @Override
    public double tolerance() {
        return 1e-4;
    }

    @Override
    public List<HostTensor> inputs(RandomValues values) {
        return List.of(values.uniform(1, SIZE, SIZE), values.reflection(SIZE), values.reflection(SIZE));
    }

    @Override
    public Computation ours(RemoteMachine machine) {
        return inputs -> {
            Tensor x = inputs.getFirst();
            for (int product = 0; product < PRODUCTS; product++) {
                x = x.matmul(inputs.get(1 + product % 2));
            }
            return x;
        };
    }

    @Override
    public DjlComputation djl(NDManager manager) {
        return inputs -> {
            NDArray x = inputs.getFirst();
            for (int product = 0; product < PRODUCTS; product++) {
                try (NDArray before = x) {
                    x = before.matMul(inputs.get(1 + product % 2));
                }
            }
            return x;
        };
    }
}
