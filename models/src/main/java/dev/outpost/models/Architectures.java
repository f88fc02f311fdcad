package dev.outpost.models;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Which architecture a model type is. Each has a fixture that transformers made. */
final class Architectures {
    private static final Map<String, Function<ModelConfig, Decoder>> DECODERS = new TreeMap<>();

    static {
        LlamaConfig.TYPES.forEach(type -> DECODERS.put(type, config -> new Llama(new LlamaConfig(config))));
    }

    private Architectures() {}

    /** The decoder of a configuration; one of an unknown type is refused. */
    static Decoder decoder(ModelConfig config) {
        String type = config.modelType();
        Function<ModelConfig, Decoder> known = DECODERS.get(type);
        if (known == null) {
            throw new OutpostException(
                    FaultKind.USER,
                    config.name() + ": the model type " + type + " is not known as a causal language model; known are "
                            + String.join(", ", DECODERS.keySet()));
        }
        return known.apply(config);
    }
}
