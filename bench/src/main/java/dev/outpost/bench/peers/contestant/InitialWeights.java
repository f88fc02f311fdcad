package dev.outpost.bench.peers.contestant;

import dev.outpost.HostTensor;
import dev.outpost.nn.Module;
import java.util.LinkedHashMap;
import java.util.Map;

/** Initial weights that every library can use. */
public final class InitialWeights {
    private static final long SEED = 5;

    private InitialWeights() {}

    /** Returns ones for scales, zeros for other vectors, and small values for matrices, by the size of their rows. */
    public static Map<String, HostTensor> of(Module module) {
        RandomValues values = new RandomValues(SEED);
        Map<String, HostTensor> weights = new LinkedHashMap<>();
        module.namedParameters().forEach((name, parameter) -> {
            long[] shape = parameter.shape().toArray();
            weights.put(
                    name,
                    shape.length > 1
                            ? values.uniform(1 / Math.sqrt(shape[shape.length - 1]), shape)
                            : values.constant(name.endsWith("weight") ? 1 : 0, shape));
        });
        return weights;
    }
}
