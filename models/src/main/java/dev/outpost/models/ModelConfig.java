package dev.outpost.models;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.models.architecture.QuantizedLinear;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@code config.json} of a model. What is asked for and not there is an error that names it. Immutable.
 *
 * @param name what errors call it, such as the source's URI
 * @param quantize how weights that are stored as floats are quantized when they are loaded; null where they are not
 */
public record ModelConfig(
        String name, JsonNode json, @Nullable Quantization quantize) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** As it is stored. */
    public ModelConfig(String name, JsonNode json) {
        this(name, json, null);
    }

    public static ModelConfig parse(String name, String text) {
        try {
            JsonNode json = MAPPER.readTree(text);
            if (json != null && json.isObject()) {
                return new ModelConfig(name, json);
            }
        } catch (JsonProcessingException failure) {
            throw new OutpostException(
                    FaultKind.USER, name + ": config.json is no JSON: " + failure.getOriginalMessage());
        }
        throw new OutpostException(FaultKind.USER, name + ": config.json is no JSON object");
    }

    /** Which architecture it is, such as {@code llama}. */
    public String modelType() {
        return required("model_type").asText();
    }

    public boolean has(String key) {
        return json.hasNonNull(key);
    }

    private JsonNode required(String key) {
        if (!has(key)) {
            throw new OutpostException(FaultKind.USER, name + ": config.json has no " + key);
        }
        return json.get(key);
    }

    public int integer(String key) {
        JsonNode value = required(key);
        if (!value.canConvertToInt() || value.intValue() < 0) {
            throw new OutpostException(
                    FaultKind.USER, name + ": config.json: expected a count for " + key + ", got " + value);
        }
        return value.intValue();
    }

    public int integer(String key, int standard) {
        return has(key) ? integer(key) : standard;
    }

    public double real(String key, double standard) {
        return has(key) ? required(key).asDouble() : standard;
    }

    public boolean flag(String key, boolean standard) {
        return has(key) ? required(key).asBoolean() : standard;
    }

    public String text(String key, String standard) {
        return has(key) ? required(key).asText() : standard;
    }

    /** The same with another number. */
    public ModelConfig with(String key, double value) {
        return new ModelConfig(name, json.<ObjectNode>deepCopy().put(key, value), quantize);
    }

    /** The same with another quantization of weights that are stored as floats. */
    ModelConfig with(Quantization quantization) {
        return new ModelConfig(name, json, quantization);
    }

    /** Of the weights of layers; empty where they are floats. */
    public Optional<Quantization> quantization() {
        return quantize == null ? Quantization.of(this) : Optional.of(quantize);
    }

    /** A layer {@code x · weightᵀ + bias} of attention or of a feed-forward net, whose weight may be quantized. */
    public Module linear(long inputs, long outputs, boolean hasBias) {
        return quantization()
                .<Module>map(how -> new QuantizedLinear(how, inputs, outputs, hasBias))
                .orElseGet(() -> new Linear(inputs, outputs, hasBias));
    }

    /** An object within, if there is one. */
    public Optional<ModelConfig> part(String key) {
        return has(key) && json.get(key).isObject()
                ? Optional.of(new ModelConfig(name + ": " + key, json.get(key)))
                : Optional.empty();
    }

    /** Texts of an array; empty where there is none. */
    public List<String> texts(String key) {
        return has(key) ? json.get(key).valueStream().map(JsonNode::asText).toList() : List.of();
    }

    /** Numbers of an array; empty where there is none. */
    public double[] reals(String key) {
        return has(key)
                ? json.get(key).valueStream().mapToDouble(JsonNode::asDouble).toArray()
                : new double[0];
    }

    /** A number or an array of numbers, such as of the tokens that end a text; empty where there is none. */
    public List<Integer> integers(String key) {
        if (!has(key)) {
            return List.of();
        }
        JsonNode value = json.get(key);
        return value.isArray() ? value.valueStream().map(JsonNode::intValue).toList() : List.of(value.intValue());
    }
}
