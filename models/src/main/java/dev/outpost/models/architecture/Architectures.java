package dev.outpost.models.architecture;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** The architecture of each model type. A fixture from transformers tests each one. */
public final class Architectures {
    private static final Map<String, Function<ModelConfig, Decoder>> DECODERS = new TreeMap<>();
    private static final Map<String, Function<ModelConfig, Encoder>> ENCODERS = new TreeMap<>();

    static {
        LlamaConfig.TYPES.forEach(type -> DECODERS.put(type, config -> new Llama(new LlamaConfig(config))));
        ENCODERS.put("bert", Bert::new);
        ENCODERS.put("roberta", Bert::new);
        ENCODERS.put("xlm-roberta", Bert::new);
        DECODERS.put("gpt2", Gpt2::new);
        DECODERS.put("gpt_neox", GptNeoX::new);
    }

    private Architectures() {}

    public static boolean isDecoder(ModelConfig config) {
        return DECODERS.containsKey(config.modelType());
    }

    public static boolean isEncoder(String modelType) {
        return ENCODERS.containsKey(modelType);
    }

    /** Returns the decoder for a configuration. Fails if the type is unknown. */
    public static Decoder decoder(ModelConfig config) {
        return known(config, DECODERS, "a causal language model").apply(config);
    }

    /** Returns the encoder for a configuration. Fails if the type is unknown. */
    public static Encoder encoder(ModelConfig config) {
        return known(config, ENCODERS, "an encoder").apply(config);
    }

    private static <M> Function<ModelConfig, M> known(
            ModelConfig config, Map<String, Function<ModelConfig, M>> all, String what) {
        String type = config.modelType();
        Function<ModelConfig, M> known = all.get(type);
        if (known == null) {
            throw new OutpostException(
                    FaultKind.USER,
                    config.name() + ": the model type " + type + " is not known as " + what + "; known are "
                            + String.join(", ", all.keySet()));
        }
        return known;
    }
}
