package dev.outpost.bench.peers.workload;

import ai.djl.ndarray.NDManager;
import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.bench.peers.contestant.Computation;
import dev.outpost.bench.peers.contestant.DjlComputation;
import dev.outpost.bench.peers.contestant.RandomValues;
import dev.outpost.bench.peers.contestant.Workload;
import dev.outpost.nn.Functional;
import java.util.List;

/** The gradients of a weighted sum of a {@link LayerNormForward}, with respect to its input, weight and bias. */
record LayerNormGradient(long rows, long columns) implements Workload {
    @Override
    public String name() {
        return "layer-norm-forward-backward";
    }

    @Override
    public double tolerance() {
        return 1e-4;
    }

    @Override
    public List<HostTensor> inputs(RandomValues values) {
        return List.of(
                values.uniform(4, rows, columns),
                values.uniform(1, columns),
                values.uniform(1, columns),
                values.uniform(1, rows, columns));
    }

    /**
     * Returns the results. The gradients of weight and bias stay in their leaves, which are inputs, so they have to be
     * computed.
     */
    @Override
    public Computation ours(RemoteMachine machine) {
        return inputs -> {
            Tensor x = inputs.get(0).requiresGrad(true);
            Tensor weight = inputs.get(1).requiresGrad(true);
            Tensor bias = inputs.get(2).requiresGrad(true);
            Functional.layerNorm(x, new long[] {columns}, weight, bias, LayerNormForward.EPS)
                    .mul(inputs.get(3))
                    .sum()
                    .backward();
            return x.grad();
        };
    }

    @Override
    public DjlComputation djl(NDManager manager) {
        return inputs -> {
            inputs.get(1).setRequiresGradient(true);
            inputs.get(2).setRequiresGradient(true);
            return DjlGradient.of(
                    inputs.get(0),
                    x -> LayerNormForward.djl(x, inputs).mul(inputs.get(3)).sum());
        };
    }
}
