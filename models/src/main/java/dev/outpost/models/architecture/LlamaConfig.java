package dev.outpost.models.architecture;

import dev.outpost.Tensor;
import dev.outpost.nn.Module;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.function.UnaryOperator;

/** The settings in {@code config.json} by which models of the Llama family differ. */
final class LlamaConfig {
    /** The model types that {@link Llama} implements. */
    static final List<String> TYPES =
            List.of("llama", "mistral", "mixtral", "qwen2", "qwen3", "gemma2", "gemma3_text", "phi3", "smollm3");

    private final ModelConfig json;
    private final String type;
    private final boolean isGemma;

    LlamaConfig(ModelConfig json) {
        this.json = json;
        this.type = json.modelType();
        this.isGemma = type.startsWith("gemma");
        activation();
        if (heads() % groups() != 0) {
            throw new OutpostException(
                    FaultKind.USER,
                    json.name() + ": heads must be shared evenly, got " + heads() + " for " + groups() + " groups");
        }
    }

    /** Returns a layer whose weight may be quantized. */
    Module linear(long inputs, long outputs, boolean hasBias) {
        return json.linear(inputs, outputs, hasBias);
    }

    int vocabulary() {
        return json.integer("vocab_size");
    }

    int hidden() {
        return json.integer("hidden_size");
    }

    int inner() {
        return json.integer("intermediate_size");
    }

    int layers() {
        return json.integer("num_hidden_layers");
    }

    int heads() {
        return json.integer("num_attention_heads");
    }

    /** Returns the number of heads of keys and values. */
    int groups() {
        return json.integer("num_key_value_heads", heads());
    }

    int headSize() {
        return json.integer("head_dim", isGemma ? 256 : hidden() / heads());
    }

    int mostPositions() {
        return json.integer("max_position_embeddings", 8192);
    }

    double normEps() {
        return json.real("rms_norm_eps", 1e-6);
    }

    boolean isNormFromOne() {
        return isGemma;
    }

    /** True if norms also follow attention and feed-forward net, in addition to those before. */
    boolean hasNormsBehind() {
        return isGemma;
    }

    double embeddingScale() {
        return isGemma ? Math.sqrt(hidden()) : 1;
    }

    boolean isTied() {
        return json.flag("tie_word_embeddings", isGemma);
    }

    /** True if queries, keys and values are in one matrix, and so are gate and input of the feed-forward net. */
    boolean isFused() {
        return type.equals("phi3");
    }

    boolean hasQueryBias() {
        return type.equals("qwen2") || json.flag("attention_bias", false);
    }

    boolean hasOutputBias() {
        return json.flag("attention_bias", false);
    }

    boolean hasFeedForwardBias() {
        return json.flag("mlp_bias", false);
    }

    boolean hasQueryNorm() {
        return type.equals("qwen3") || type.equals("gemma3_text");
    }

    int experts() {
        return type.equals("mixtral") ? json.integer("num_local_experts") : 0;
    }

    int expertsPerToken() {
        return json.integer("num_experts_per_tok", 2);
    }

    double logitCap() {
        return json.real("final_logit_softcapping", 0);
    }

    UnaryOperator<Tensor> activation() {
        String key = json.has("hidden_activation") ? "hidden_activation" : "hidden_act";
        // Early Gemma files contain the name gelu, but the models use its tanh approximation.
        boolean isOtherGelu = isGemma && json.text(key, "gelu").equals("gelu");
        return isOtherGelu ? Tensor::geluTanh : Activations.of(json, key, "silu");
    }

    // ---- attention

    /** True if a layer uses rotary positions. SmolLM 3 has layers without positions. */
    boolean turns(int layer) {
        double[] turning = json.reals("no_rope_layers");
        return turning.length == 0 || turning[layer] != 0;
    }

    AttentionRule rule(int layer) {
        double scale = 1 / Math.sqrt(isGemma ? json.real("query_pre_attn_scalar", headSize()) : headSize());
        return new AttentionRule(scale, window(layer), json.real("attn_logit_softcapping", 0));
    }

    /** Returns the number of positions that a layer attends to; 0 for all. */
    int window(int layer) {
        int window = json.integer("sliding_window", 0);
        return window > 0 && isSliding(layer) ? window : 0;
    }

    private boolean isSliding(int layer) {
        List<String> types = json.texts("layer_types");
        if (!types.isEmpty()) {
            return types.get(layer).equals("sliding_attention");
        }
        return switch (type) {
            case "gemma2" -> layer % 2 == 0;
            case "gemma3_text" ->
                (layer + 1) % json.integer("sliding_window_pattern", json.integer("_sliding_window_pattern", 6)) != 0;
            case "qwen2", "qwen3" ->
                json.flag("use_sliding_window", false) && layer >= json.integer("max_window_layers", 28);
            default -> true;
        };
    }

    /** True if layers with a window use other rotary angles. */
    boolean hasLocalRotary() {
        return type.equals("gemma3_text");
    }

    /** True if a text is longer than the texts of the first training. Longer texts may use other scaling factors. */
    boolean isLong(long tokens) {
        return tokens > json.integer("original_max_position_embeddings", Integer.MAX_VALUE);
    }

    /** @param isLocal true for layers with a window */
    RotaryEmbedding rotary(boolean isLocal, boolean isLong) {
        if (!hasLocalRotary()) {
            return RotaryEmbedding.of(json, headSize(), isLong);
        }
        var parts =
                json.part("rope_parameters").flatMap(all -> all.part(isLocal ? "sliding_attention" : "full_attention"));
        if (parts.isPresent()) {
            double base = parts.get().real("rope_theta", isLocal ? 1e4 : 1e6);
            return RotaryEmbedding.of(json, parts.get(), base, headSize(), isLong);
        }
        double base = isLocal ? json.real("rope_local_base_freq", 1e4) : json.real("rope_theta", 1e6);
        ModelConfig scaling = isLocal ? json : json.part("rope_scaling").orElse(json);
        return RotaryEmbedding.of(json, scaling, base, headSize(), isLong);
    }
}
