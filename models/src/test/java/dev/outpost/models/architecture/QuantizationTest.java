package dev.outpost.models.architecture;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.models.CausalLM;
import dev.outpost.models.Fixtures;
import dev.outpost.models.ModelInfo;
import dev.outpost.models.Sampling;
import dev.outpost.models.Seq2SeqLM;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Weights of 4 and 8 bits: layouts of files, and floats that are quantized while they are loaded. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QuantizationTest {
    private RemoteMachine machine;

    @BeforeAll
    void start() {
        machine = Fixtures.machine();
    }

    @AfterAll
    void stop() {
        machine.close();
    }

    /** The results equal those of transformers with the weights that the codes represent. */
    @ParameterizedTest
    @ValueSource(strings = {"gptq", "gptq_int8", "gptq_act_order", "awq"})
    void aStoredLayoutIsRead(String name) {
        JsonNode expected = Fixtures.expected(name);
        int[] prompt = Fixtures.ids(expected.get("prompt"));
        long[] ids = Arrays.stream(prompt).asLongStream().toArray();
        Source source = machine.open(Fixtures.uri(name));
        try (CausalLM model = CausalLM.load(source, DType.FLOAT32, 64);
                Tensor input = machine.tensor(ids, 1, ids.length);
                Tensor logits = model.logits(input).flatten()) {
            QuantizedLinear query = WeightLoader.quantizedLayers(model.module()).get("model.layers.0.self_attn.q_proj");
            try (Tensor weight = query.dequantized().flatten()) {
                Fixtures.assertClose(expected.get("weight"), weight.toFloatArray());
            }
            float[] got = logits.toFloatArray();
            int vocabulary = expected.get("logits").get(0).size();
            for (int token = 0; token < prompt.length; token++) {
                Fixtures.assertClose(
                        expected.get("logits").get(token),
                        Arrays.copyOfRange(got, token * vocabulary, (token + 1) * vocabulary));
            }
            Sampling greedy = Sampling.greedy().maxTokens(12).ignoreEnd();
            int[] tokens = model.generate(prompt, greedy).toEnd().getFirst();
            assertArrayEquals(Fixtures.ids(expected.get("greedy")), tokens, () -> Arrays.toString(tokens));
        }
    }

    /** The bound is half a step of the group, plus the rounding of a 16-bit scale and of sums in float32. */
    @ParameterizedTest
    @CsvSource({"4, 32", "4, 8", "8, 64", "8, 16"})
    void errorsAreBoundedByHalfAStep(int bits, int group) {
        int inputs = 128;
        int outputs = 24;
        try (Tensor weight = machine.randn(outputs, inputs);
                Tensor x = machine.randn(3, inputs);
                QuantizedWeight quantized = QuantizedWeight.of(weight, bits, group);
                Tensor meant = quantized.dequantized();
                Tensor exact = x.matmul(weight.transpose(0, 1));
                Tensor product = quantized.multiply(x);
                Tensor wide = quantized.scales().to(DType.FLOAT32)) {
            float[] weights = weight.toFloatArray();
            float[] scales = wide.toFloatArray();
            float[] got = meant.toFloatArray();
            for (int place = 0; place < weights.length; place++) {
                double step = scales[place / group];
                assertTrue(
                        Math.abs(got[place] - weights[place]) <= step / 2 * (1 + 1e-3),
                        "weight " + weights[place] + " became " + got[place] + " with steps of " + step);
            }
            assertSteps(weights, scales, bits, group);
            float[] rows = x.toFloatArray();
            float[] wanted = exact.toFloatArray();
            float[] results = product.toFloatArray();
            for (int result = 0; result < results.length; result++) {
                double bound = 1e-4;
                for (int input = 0; input < inputs; input++) {
                    double step = scales[(result % outputs * inputs + input) / group];
                    bound += Math.abs(rows[result / outputs * inputs + input]) * step / 2 * (1 + 1e-3);
                }
                assertEquals(wanted[result], results[result], bound);
            }
        }
    }

    /** As {@link Quantization} says: a 15th of the range of a group, or a 127th of its largest weight. */
    private static void assertSteps(float[] weights, float[] scales, int bits, int group) {
        for (int which = 0; which < scales.length; which++) {
            double min = 0;
            double max = 0;
            for (int place = which * group; place < (which + 1) * group; place++) {
                min = Math.min(min, weights[place]);
                max = Math.max(max, weights[place]);
            }
            double step = bits == 4 ? (max - min) / 15 : Math.max(max, -min) / 127;
            assertEquals(step, scales[which], 2e-3 * step);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "llama, int8, 0.02",
        "llama, int4, 0.3",
        "mixtral, int8, 0.02",
        "qwen2, int8, 0.02",
        "gpt_neox, int8, 0.02",
        "gpt2, int8, 0.02",
        "gpt2, int4, 0.3"
    })
    void floatsAreQuantizedOnTheirWayIn(String name, String how, double relative) {
        JsonNode expected = Fixtures.expected(name);
        long[] ids = Arrays.stream(Fixtures.ids(expected.get("prompt")))
                .asLongStream()
                .toArray();
        Source source = machine.open(Fixtures.uri(name));
        try (CausalLM model = CausalLM.load(source, null, 64, Quantization.of(how));
                Tensor input = machine.tensor(ids, 1, ids.length);
                Tensor logits = model.logits(input)) {
            assertTrue(!WeightLoader.quantizedLayers(model.module()).isEmpty());
            double error = relativeError(expected.get("logits"), logits.toFloatArray());
            assertTrue(error < relative && error > 0, "relative error " + error);
        }
    }

    /** Returns the norm of the differences, relative to the norm of the expected values. */
    private static double relativeError(JsonNode logits, float[] got) {
        double[] wanted = numbers(logits).toArray();
        assertEquals(wanted.length, got.length);
        double squares = 0;
        double differences = 0;
        for (int place = 0; place < got.length; place++) {
            squares += wanted[place] * wanted[place];
            differences += (got[place] - wanted[place]) * (got[place] - wanted[place]);
        }
        return Math.sqrt(differences / squares);
    }

    private static DoubleStream numbers(JsonNode node) {
        return node.isArray()
                ? node.valueStream().flatMapToDouble(QuantizationTest::numbers)
                : DoubleStream.of(node.doubleValue());
    }

    /** The result equals that of the floats that the codes represent. Each of these is within half a step of the stored one. */
    @ParameterizedTest
    @CsvSource({"t5, int8", "flan_t5, int8", "t5, int4"})
    void aModelWithAnEncoderIsQuantizedOnItsWayIn(String name, String how) {
        JsonNode expected = Fixtures.expected(name);
        int[] prompt = Fixtures.ids(expected.get("prompt"));
        long[] decoded = Arrays.stream(Fixtures.ids(expected.get("decoded")))
                .asLongStream()
                .toArray();
        Source source = machine.open(Fixtures.uri(name));
        try (Seq2SeqLM quantized = Seq2SeqLM.load(source, null, Quantization.of(how));
                Seq2SeqLM floats = Seq2SeqLM.load(source, null);
                Tensor ids = machine.tensor(decoded, 1, decoded.length);
                Tensor stored = floats.logits(List.of(prompt), ids)) {
            var weights = floats.module().namedParameters();
            var layers = WeightLoader.quantizedLayers(quantized.module());
            layers.forEach(
                    (layer, each) -> weights.get(layer + ".weight").tensor().copy_(each.dequantized()));
            try (Tensor meant = floats.logits(List.of(prompt), ids);
                    Tensor logits = quantized.logits(List.of(prompt), ids)) {
                float[] got = logits.toFloatArray();
                assertArrayEquals(meant.toFloatArray(), got, 1e-4f);
                assertFalse(Arrays.equals(stored.toFloatArray(), got), "nothing was rounded");
            }
        }
    }

    @Test
    void savedMemoryIsReportedAndTrue() {
        Source source = machine.open(Fixtures.uri("gptq"));
        ModelInfo info = ModelInfo.of(source);
        assertEquals(new Quantization(Quantization.Layout.GPTQ, 4, 16), info.quantization());
        // Of two layers: 32 x 32 and 32 x 16 twice each, 32 x 48 three times.
        long weights = 2 * (2 * 32 * 32 + 2 * 32 * 16 + 3 * 32 * 48);
        assertEquals(weights * 2 - (weights / 2 + weights / 16 * 3), info.savedBytes());
        assertTrue(info.parameters() > weights);
        Source floats = machine.open(Fixtures.uri("llama"));
        assertEquals(0, ModelInfo.of(floats).savedBytes());
        ModelInfo less = ModelInfo.of(floats, Quantization.int8());
        assertEquals(ModelInfo.of(floats).weightBytes() - less.savedBytes(), less.weightBytes());
        assertEquals(ModelInfo.of(floats).parameters(), less.parameters());
        try (RemoteMachine own = Fixtures.machine()) {
            long before = own.stats().liveBytes();
            try (CausalLM model = CausalLM.load(own.open(Fixtures.uri("llama")), null, 16, Quantization.int8())) {
                own.synchronize();
                long cache = 4L * 2 * 2 * 2 * 16 * 8;
                assertTrue(
                        own.stats().liveBytes() - before <= less.weightBytes() + 2 * cache,
                        own.stats().liveBytes() + " bytes, expected " + less.weightBytes());
                assertEquals(DType.FLOAT32, model.dtype());
            }
        }
    }

    @Test
    void modelThatCannotBeQuantizedIsRefused() {
        assertRefused("its weights are stored quantized, and are not quantized again", "gptq", Quantization.int8());
        assertEquals(
                "quantize: expected int8 or int4, got \"int2\"",
                assertThrows(OutpostException.class, () -> Quantization.of("int2"))
                        .getMessage());
    }

    private void assertRefused(String message, String name, Quantization quantize) {
        String text = assertThrows(
                        OutpostException.class,
                        () -> CausalLM.load(machine.open(Fixtures.uri(name)), null, 16, quantize))
                .getMessage();
        assertTrue(text.endsWith(message), text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"quant_method\": \"gptq\"|\"quant_method\": \"exl2\"|the method exl2 is not known",
                "\"bits\": 4|\"bits\": 3|gptq of 3 bits is not known",
                "\"group_size\": 16|\"group_size\": 8|qzeros has the shape [2, 4], and the model needs [4, 4]"
            })
    void aLayoutThatIsNotKnownIsRefused(String text, String instead, String message) throws Exception {
        Path folder = Files.createTempDirectory("outpost-quantized");
        try {
            Path from = Fixtures.folder().resolve("gptq");
            Files.copy(from.resolve("model.safetensors"), folder.resolve("model.safetensors"));
            Files.writeString(
                    folder.resolve("config.json"),
                    Files.readString(from.resolve("config.json")).replace(text, instead));
            try (RemoteMachine own = RemoteMachine.of(
                    "mock", "any", new dev.outpost.MachineOptions().option("sources", "file:" + folder))) {
                String refused = assertThrows(OutpostException.class, () -> CausalLM.load(own, "file:" + folder))
                        .getMessage();
                assertTrue(refused.contains(message), refused);
            }
        } finally {
            Files.delete(folder.resolve("model.safetensors"));
            Files.delete(folder.resolve("config.json"));
            Files.delete(folder);
        }
    }
}
