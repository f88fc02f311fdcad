package dev.outpost.models.architecture;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Module;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@code config.json} of a model. Fails with an error that names the key if a required value is missing. Immutable.
 *
 * @param name the name in error messages, such as the source's URI
 * @param quantize the quantization, at loading, of weights that are stored as floats; null to keep them
 */
public record ModelConfig(
        String name, JsonNode json, @Nullable Quantization quantize) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** Makes a configuration that loads weights as they are stored. */
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

    /** Returns the type of the architecture, such as {@code llama}. */
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

    /** Returns a copy with another number. */
    public ModelConfig with(String key, double value) {
        return new ModelConfig(name, json.<ObjectNode>deepCopy().put(key, value), quantize);
    }

    /** Returns a copy that quantizes weights that are stored as floats. */
    public ModelConfig with(Quantization quantization) {
        return new ModelConfig(name, json, quantization);
    }

    /** Returns the quantization of the weights of layers; empty if they are floats. */
    public Optional<Quantization> quantization() {
        return quantize == null ? Quantization.of(this) : Optional.of(quantize);
    }

    /** Returns a layer {@code x · weightᵀ + bias} of attention or of a feed-forward net, whose weight may be quantized. */
    public Module linear(long inputs, long outputs, boolean hasBias) {
        return quantization()
                .<Module>map(how -> new QuantizedLinear(how, inputs, outputs, hasBias))
                .orElseGet(() -> new Linear(inputs, outputs, hasBias));
    }

    /** Returns the object of a key, if the value is an object. */
    public Optional<ModelConfig> part(String key) {
        return has(key) && json.get(key).isObject()
                ? Optional.of(new ModelConfig(name + ": " + key, json.get(key)))
                : Optional.empty();
    }

    /** Returns the strings of an array; empty if the key is missing. */
    public List<String> texts(String key) {
        return has(key) ? json.get(key).valueStream().map(JsonNode::asText).toList() : List.of();
    }

    /** Returns the numbers of an array; empty if the key is missing. */
    public double[] reals(String key) {
        return has(key)
                ? json.get(key).valueStream().mapToDouble(JsonNode::asDouble).toArray()
                : new double[0];
    }

    /** Returns a number or an array of numbers, such as the tokens that end a text; empty if the key is missing. */
    public List<Integer> integers(String key) {
        if (!has(key)) {
            return List.of();
        }
        JsonNode value = json.get(key);
        return value.isArray() ? value.valueStream().map(JsonNode::intValue).toList() : List.of(value.intValue());
    }
}
