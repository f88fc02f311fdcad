package dev.outpost.bench.peers.workload;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.norm.LayerNorm;
import dev.outpost.HostTensor;
import dev.outpost.RemoteMachine;
import dev.outpost.bench.peers.contestant.Computation;
import dev.outpost.bench.peers.contestant.DjlComputation;
import dev.outpost.bench.peers.contestant.RandomValues;
import dev.outpost.bench.peers.contestant.Workload;
import dev.outpost.nn.Functional;
import java.util.List;

/** Layer norm of rows, scaled and shifted. */
record LayerNormForward(long rows, long columns) implements Workload {
    static final float EPS = 1e-5f;

    @Override
    public String name() {
        return "layer-norm-forward";
    }

    @Override
    public double tolerance() {
        return 1e-5;
    }

    @Override
    public List<HostTensor> inputs(RandomValues values) {
        return List.of(values.uniform(4, rows, columns), values.uniform(1, columns), values.uniform(1, columns));
    }

    @Override
    public Computation ours(RemoteMachine machine) {
        return inputs -> Functional.layerNorm(inputs.get(0), new long[] {columns}, inputs.get(1), inputs.get(2), EPS);
    }

    @Override
    public DjlComputation djl(NDManager manager) {
        return inputs -> djl(inputs.get(0), inputs);
    }

    /** Normalizes x with the weight and the bias, which are the second and third input. */
    static NDArray djl(NDArray x, NDList inputs) {
        Shape last = inputs.get(1).getShape();
        return LayerNorm.layerNorm(x, last, inputs.get(1), inputs.get(2), EPS).singletonOrThrow();
    }
}
