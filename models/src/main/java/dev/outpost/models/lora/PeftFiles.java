package dev.outpost.models.lora;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.models.CausalLM;
import dev.outpost.models.architecture.AdaptableLayer;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.source.Source;
import dev.outpost.source.SourceTensor;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/**
 * Adapters in the layout of Hugging Face's PEFT: {@code adapter_config.json} and {@code adapter_model.safetensors}. {@code
 * PeftModel.from_pretrained} loads saved adapters, and this class loads those that PEFT saved. The machine reads and writes
 * the tensors.
 */
public final class PeftFiles {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String CONFIG = "adapter_config.json";
    private static final String STEM = "adapter_model";
    private static final String PREFIX = "base_model.model.";
    private static final long SHARD_BYTES = 1L << 40;

    private PeftFiles() {}

    /** True if a source has an adapter. */
    public static boolean areIn(Source source) {
        return source.files().containsKey(CONFIG);
    }

    /**
     * Attaches a stored adapter to a model. Waits for the machine.
     *
     * @param uri the location, such as {@code s3://bucket/adapter}; the model's machine reads it
     */
    public static LoraAdapter load(CausalLM model, String uri) {
        return load(model, model.machine().open(uri));
    }

    /** Attaches an adapter from an open source, like {@link #load(CausalLM, String)}. */
    public static LoraAdapter load(CausalLM model, Source source) {
        if (!areIn(source)) {
            throw new OutpostException(
                    FaultKind.USER, source.uri() + ": there is no adapter, since it has no " + CONFIG);
        }
        LoraConfig config = config(ModelConfig.parse(source.uri(), source.text(CONFIG)));
        LoraAdapter adapter = LoraAdapter.on(model.module(), config);
        boolean isLoaded = false;
        try {
            adapter.loadStateDict(tensors(source), true);
            adapter.eval();
            isLoaded = true;
        } finally {
            if (!isLoaded) {
                adapter.close();
            }
        }
        return adapter;
    }

    private static SequencedMap<String, SourceTensor> tensors(Source source) {
        SequencedMap<String, SourceTensor> tensors = new LinkedHashMap<>();
        source.tensors()
                .forEach((name, tensor) ->
                        tensors.put(name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name, tensor));
        return tensors;
    }

    private static LoraConfig config(ModelConfig json) {
        String type = json.text("peft_type", "");
        refuse(json, !type.equals("LORA"), "peft_type " + type);
        refuse(json, json.flag("use_dora", false), "use_dora");
        refuse(json, !json.text("bias", "none").equals("none"), "bias");
        for (String key : List.of("modules_to_save", "layers_to_transform", "rank_pattern", "alpha_pattern")) {
            refuse(json, json.has(key) && !json.json().get(key).isEmpty() || isNumber(json, key), key);
        }
        List<String> targets = json.texts("target_modules");
        refuse(json, targets.isEmpty(), "target_modules " + json.json().get("target_modules"));
        return new LoraConfig(
                json.integer("r"),
                json.real("lora_alpha", json.integer("r")),
                json.real("lora_dropout", 0),
                targets,
                json.flag("use_rslora", false));
    }

    private static boolean isNumber(ModelConfig json, String key) {
        return json.has(key) && json.json().get(key).isNumber();
    }

    private static void refuse(ModelConfig json, boolean isUnknown, String what) {
        if (isUnknown) {
            throw new OutpostException(
                    FaultKind.USER,
                    json.name() + ": " + CONFIG + ": only plain LoRA on named layers can be loaded, got " + what);
        }
    }

    /**
     * Makes the machine write an adapter in its present state. Does not wait until it is written.
     *
     * @param uri a location without tensors
     * @param model the name or location of the base model for PEFT, such as {@code org/name}
     * @return completes with the number of bytes after the adapter is written
     */
    public static CompletableFuture<Long> save(LoraAdapter adapter, String uri, String model) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        adapter.namedParameters().forEach((name, parameter) -> tensors.put(PREFIX + name, parameter.tensor()));
        RemoteMachine machine = adapter.machine();
        return machine.saveAsync(uri, tensors, Map.of(CONFIG, config(adapter, model)), SHARD_BYTES, STEM);
    }

    /** Returns the text of {@code adapter_config.json}. */
    static String config(LoraAdapter adapter, String model) {
        LoraConfig config = adapter.config();
        ObjectNode json = MAPPER.createObjectNode();
        json.put("peft_type", "LORA");
        json.put("task_type", "CAUSAL_LM");
        json.put("base_model_name_or_path", model);
        json.put("inference_mode", true);
        json.put("r", config.rank());
        json.put("lora_alpha", config.alpha());
        json.put("lora_dropout", config.dropout());
        json.put("use_rslora", config.isRankStabilized());
        json.put("bias", "none");
        json.put("fan_in_fan_out", isStoredTheOtherWayRound(adapter));
        json.put("init_lora_weights", true);
        ArrayNode targets = json.putArray("target_modules");
        // With these names PEFT finds exactly the adapted layers.
        new TreeSet<>(targets(adapter)).forEach(targets::add);
        return json.toPrettyString();
    }

    private static List<String> targets(LoraAdapter adapter) {
        List<String> named = adapter.config().targets();
        return named.isEmpty()
                ? adapter.layers().keySet().stream()
                        .map(name -> name.substring(name.lastIndexOf('.') + 1))
                        .toList()
                : named;
    }

    private static boolean isStoredTheOtherWayRound(LoraAdapter adapter) {
        return adapter.layers().keySet().stream()
                .map(adapter.base().namedModules()::get)
                .anyMatch(layer -> layer instanceof AdaptableLayer other && other.isTransposed());
    }
}
