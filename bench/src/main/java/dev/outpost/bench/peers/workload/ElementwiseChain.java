package dev.outpost.bench.peers.workload;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.nn.Activation;
import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.bench.peers.contestant.Computation;
import dev.outpost.bench.peers.contestant.DjlComputation;
import dev.outpost.bench.peers.contestant.RandomValues;
import dev.outpost.bench.peers.contestant.Workload;
import java.util.List;
import java.util.stream.Stream;

/**
 * add, mul, relu and tanh in turn. The other operands alternate among a few tensors: one for each op would turn it into a
 * benchmark of memory reads.
 */
record ElementwiseChain(String name, int ops, long... shape) implements Workload {
    private static final int OTHERS = 4;

    /** tanh differs by an ulp or two between libraries; factors below 1 keep the difference from growing. */
    @Override
    public double tolerance() {
        return 1e-5;
    }

    @Override
    public List<HostTensor> inputs(RandomValues values) {
        return Stream.generate(() -> values.uniform(1, shape)).limit(1 + OTHERS).toList();
    }

    private static int other(int op) {
        return 1 + op / 4 * 2 % OTHERS + op % 2;
    }

    @Override
    public Computation ours(RemoteMachine machine) {
        return inputs -> {
            Tensor x = inputs.getFirst();
            for (int op = 0; op < ops; op++) {
                x = switch (op % 4) {
                    case 0 -> x.add(inputs.get(other(op)));
                    case 1 -> x.mul(inputs.get(other(op)));
                    case 2 -> x.relu();
                    default -> x.tanh();
                };
            }
            return x;
        };
    }

    /** Closes the used arrays, so that PyTorch can reuse the memory. */
    @Override
    public DjlComputation djl(NDManager manager) {
        return inputs -> {
            NDArray x = inputs.getFirst();
            for (int op = 0; op < ops; op++) {
                try (NDArray before = x) {
                    x = switch (op % 4) {
                        case 0 -> before.add(inputs.get(other(op)));
                        case 1 -> before.mul(inputs.get(other(op)));
                        case 2 -> Activation.relu(before);
                        default -> before.tanh();
                    };
                }
            }
            return x;
        };
    }
}
