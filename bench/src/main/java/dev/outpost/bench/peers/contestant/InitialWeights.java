package dev.outpost.bench.peers.contestant;

import dev.outpost.HostTensor;
import dev.outpost.nn.Module;
import java.util.LinkedHashMap;
import java.util.Map;

/** First weights that every side can begin with. */
public final class InitialWeights {
    private static final long SEED = 5;

    private InitialWeights() {}

    /** Scales are ones, other vectors zeros, and matrices small by the size of their rows. */
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
