package dev.outpost.models.lora;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.CausalLM;
import dev.outpost.models.Sampling;
import dev.outpost.source.Source;
import dev.outpost.types.OutpostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Adapters compute what PEFT's compute, and their files are PEFT's; the fixtures are made by {@code make_adapters.py}. */
class LoraTest {
    private static final double TOLERANCE = 1e-4;

    @TempDir
    private Path folder;

    private RemoteMachine machine;

    @BeforeEach
    void start() {
        machine = RemoteMachine.of(
                "mock",
                "any",
                new MachineOptions().option("sources", "file:" + Path.of(fixtures()) + ",file:" + folder));
    }

    @AfterEach
    void stop() {
        machine.close();
    }

    private static String fixtures() {
        return LoraTest.class.getResource("/fixtures").getPath();
    }

    private CausalLM model(String name) {
        return CausalLM.load(machine, "file:" + fixtures() + "/" + name);
    }

    private static JsonNode expected(String name) throws Exception {
        return JsonMapper.builder()
                .build()
                .readTree(Path.of(fixtures(), name, "expected.json").toFile());
    }

    @ParameterizedTest
    @CsvSource({"peft_llama, llama", "peft_gpt2, gpt2"})
    void anAdapterOfPeftComputesWhatItDoesThere(String name, String base) throws Exception {
        JsonNode expected = expected(name);
        try (CausalLM model = model(base)) {
            float[] without = logits(model, expected);
            LoraAdapter adapter = PeftFiles.load(model, "file:" + fixtures() + "/" + name);
            assertLogits(expected.get("logits"), logits(model, expected));
            adapter.enabled(false);
            assertArrayEquals(without, logits(model, expected));
            adapter.enabled(true);
            adapter.merge();
            assertLogits(expected.get("logits"), logits(model, expected));
            assertThrows(OutpostException.class, adapter::merge);
        }
    }

    @ParameterizedTest
    @CsvSource({"peft_llama, llama", "peft_gpt2, gpt2"})
    void savedAdapterHasPeftsNamesAndIsLoadedAgain(String name, String base) throws Exception {
        JsonNode expected = expected(name);
        String saved = "file:" + folder.resolve("saved");
        try (CausalLM model = model(base)) {
            LoraAdapter adapter = PeftFiles.load(model, "file:" + fixtures() + "/" + name);
            PeftFiles.save(adapter, saved, base).join();
        }
        Source source = machine.open(saved);
        Source original = machine.open("file:" + fixtures() + "/" + name);
        assertEquals(original.tensors().keySet(), source.tensors().keySet());
        assertEquals(
                Set.of("adapter_config.json", "adapter_model.safetensors"),
                source.files().keySet());
        JsonMapper mapper = JsonMapper.builder().build();
        JsonNode theirs = mapper.readTree(original.text("adapter_config.json"));
        JsonNode ours = mapper.readTree(source.text("adapter_config.json"));
        for (String key : List.of("use_rslora", "fan_in_fan_out", "peft_type", "bias", "task_type")) {
            assertEquals(theirs.get(key), ours.get(key), key);
        }
        for (String key : List.of("r", "lora_alpha", "lora_dropout")) {
            assertEquals(theirs.get(key).doubleValue(), ours.get(key).doubleValue(), key);
        }
        try (CausalLM model = model(base)) {
            PeftFiles.load(model, saved);
            assertLogits(expected.get("logits"), logits(model, expected));
        }
    }

    @Test
    void severalAdaptersAreAddedUp() throws Exception {
        JsonNode expected = expected("peft_llama");
        try (CausalLM model = model("llama")) {
            float[] without = logits(model, expected);
            LoraAdapter first = PeftFiles.load(model, "file:" + fixtures() + "/peft_llama");
            LoraAdapter second = LoraAdapter.on(model.module(), LoraConfig.rank(2));
            assertLogits(expected.get("logits"), logits(model, expected));
            fill(second, 0.05);
            float[] both = logits(model, expected);
            assertTrue(difference(expected.get("logits"), both) > 1e-3);
            second.close();
            assertLogits(expected.get("logits"), logits(model, expected));
            first.close();
            assertArrayEquals(without, logits(model, expected));
        }
    }

    @Test
    void textIsGeneratedWithTheAdapterAndWithoutIt() {
        Sampling greedy = Sampling.greedy().maxTokens(8).ignoreEnd();
        int[] prompt = {1, 17, 33, 5};
        try (CausalLM model = model("llama")) {
            int[] without = model.generate(prompt, greedy).toEnd().getFirst();
            LoraAdapter adapter =
                    LoraAdapter.on(model.module(), LoraConfig.rank(4).alpha(64));
            fill(adapter, 0.3);
            int[] with = model.generate(prompt, greedy).toEnd().getFirst();
            assertTrue(!Arrays.equals(without, with), () -> Arrays.toString(with));
            adapter.enabled(false);
            assertArrayEquals(without, model.generate(prompt, greedy).toEnd().getFirst());
        }
    }

    @Test
    void allLayersButTheHeadAreAdaptedUnlessSomeAreNamed() {
        try (CausalLM model = model("llama")) {
            LoraAdapter all = LoraAdapter.on(model.module(), LoraConfig.rank(2));
            assertEquals(14, all.layers().size());
            all.close();
            LoraAdapter one =
                    LoraAdapter.on(model.module(), LoraConfig.rank(2).targets("model.layers.1.self_attn.q_proj"));
            assertEquals(Set.of("model.layers.1.self_attn.q_proj"), one.layers().keySet());
            assertEquals(
                    Set.of(
                            "model.layers.1.self_attn.q_proj.lora_A.weight",
                            "model.layers.1.self_attn.q_proj.lora_B.weight"),
                    one.namedParameters().keySet());
            assertTrue(model.module().parameters().stream().noneMatch(parameter -> parameter.requiresGrad()));
            assertRefused(
                    "no layer is called wq; there are down_proj",
                    () -> LoraAdapter.on(model.module(), LoraConfig.rank(2).targets("wq")));
            assertRefused("expected a rank from 1 on", () -> LoraConfig.rank(0));
            assertRefused("there is no adapter", () -> PeftFiles.load(model, "file:" + fixtures() + "/llama"));
        }
    }

    private static void fill(LoraAdapter adapter, double value) {
        GradMode.noGrad(
                () -> adapter.layers().values().forEach(layer -> layer.up().fill_(value)));
    }

    private float[] logits(CausalLM model, JsonNode expected) {
        long[] ids = expected.get("prompt")
                .valueStream()
                .mapToLong(JsonNode::longValue)
                .toArray();
        try (Tensor input = machine.tensor(ids, 1, ids.length);
                Tensor logits = model.logits(input)) {
            return logits.toFloatArray();
        }
    }

    private static void assertLogits(JsonNode expected, float[] got) {
        assertTrue(difference(expected, got) < TOLERANCE, () -> "off by " + difference(expected, got));
    }

    private static double difference(JsonNode expected, float[] got) {
        double max = 0;
        int place = 0;
        for (JsonNode row : expected) {
            for (JsonNode value : row) {
                max = Math.max(max, Math.abs(value.doubleValue() - got[place++]));
            }
        }
        assertEquals(place, got.length);
        return max;
    }

    private static void assertRefused(String part, Executable call) {
        String message = assertThrows(OutpostException.class, call).getMessage();
        assertTrue(message.contains(part), message);
    }
}
