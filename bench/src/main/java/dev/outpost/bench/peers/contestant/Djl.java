package dev.outpost.bench.peers.contestant;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import dev.outpost.HostTensor;
import dev.outpost.types.DType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** DJL with its PyTorch engine, eager and in this process: the usual choice of a Java developer. */
public final class Djl implements Contestant {
    public static final String NAME = "djl-pytorch";

    private final NDManager manager = NDManager.newBaseManager("PyTorch");
    private final DjlComputation computation;
    private final Deque<List<NDList>> loaded = new ArrayDeque<>();
    private final List<NDArray> results = new ArrayList<>();

    public Djl(Workload workload) {
        computation = workload.djl(manager);
    }

    /** Returns the versions of DJL and of the library that computes. */
    public static String versions() {
        return "DJL " + Engine.getDjlVersion() + " with PyTorch "
                + Engine.getEngine("PyTorch").getVersion();
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Uses a separate manager for each step, as DJL's trainer does for each batch. */
    @Override
    public void load(List<List<HostTensor>> steps) {
        List<NDList> inputs = new ArrayList<>();
        for (List<HostTensor> step : steps) {
            NDManager ofStep = manager.newSubManager();
            NDList arrays = new NDList();
            step.forEach(values -> arrays.add(array(ofStep, values)));
            arrays.attach(ofStep);
            inputs.add(arrays);
        }
        loaded.add(inputs);
    }

    public static NDArray array(NDManager manager, HostTensor values) {
        Shape shape = new Shape(values.shape().toArray());
        return values.dtype() == DType.INT64
                ? manager.create(values.toLongArray(), shape)
                : manager.create(values.toFloatArray(), shape);
    }

    @Override
    public double run() {
        clear();
        List<NDList> inputs = loaded.remove();
        long start = System.nanoTime();
        for (NDList step : inputs) {
            NDManager ofStep = step.getManager();
            NDArray result = computation.step(step);
            result.attach(manager);
            results.add(result);
            ofStep.close();
        }
        results.forEach(Djl::read);
        return (System.nanoTime() - start) / 1e6;
    }

    private static void read(NDArray result) {
        if (result.size() > LOOK) {
            try (NDArray sum = result.sum()) {
                sum.getFloat();
            }
        } else {
            result.toFloatArray();
        }
    }

    @Override
    public float[] results() {
        return Floats.concat(results.stream().map(NDArray::toFloatArray).toList());
    }

    @Override
    public void clear() {
        results.forEach(NDArray::close);
        results.clear();
    }

    @Override
    public void close() {
        manager.close();
    }
}
