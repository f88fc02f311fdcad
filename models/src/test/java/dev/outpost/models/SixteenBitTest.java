package dev.outpost.models;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.models.architecture.Encoder;
import dev.outpost.models.architecture.WeightLoader;
import dev.outpost.models.vision.Clip;
import dev.outpost.models.vision.VisionTransformer;
import dev.outpost.source.Source;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each architecture in 16 bits is about as near to float32 as transformers is in 16 bits; see {@code make_deviations}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SixteenBitTest {
    /** Times transformers' own root of the mean square, and its largest deviation, which is of one element. */
    private static final double RMS = 1.5;

    private static final double MAX = 2.5;
    /** Of T5 in float16, of which transformers keeps one matrix in float32. */
    private static final double RMS_OF_T5 = 2;

    private static final JsonNode DEVIATIONS = Fixtures.json("deviations.json");

    private RemoteMachine machine;

    @BeforeAll
    void start() {
        machine = Fixtures.machine();
    }

    @AfterAll
    void stop() {
        machine.close();
    }

    static Stream<Arguments> all() {
        return DEVIATIONS
                .propertyStream()
                .map(java.util.Map.Entry::getKey)
                .flatMap(name -> Stream.of(DType.BFLOAT16, DType.FLOAT16).map(dtype -> Arguments.of(name, dtype)));
    }

    @ParameterizedTest
    @MethodSource("all")
    void modelIsAsNearToFloat32AsTransformers(String name, DType dtype) {
        JsonNode expected = Fixtures.expected(name);
        Source source = machine.open(Fixtures.uri(name));
        float[] got = switch (name) {
            case "vit" -> vit(source, dtype, expected);
            case "clip" -> clip(source, dtype, expected);
            case "t5", "flan_t5" -> seq2seq(source, dtype, expected);
            case "bert", "minilm", "roberta", "xlm_roberta" -> encoder(source, dtype, expected);
            default -> causal(source, dtype, expected);
        };
        double[] exact = exact(name, expected);
        double squares = 0;
        double max = 0;
        for (int place = 0; place < exact.length; place++) {
            double difference = Math.abs(got[place] - exact[place]);
            squares += difference * difference;
            max = Math.max(max, difference);
        }
        double rms = Math.sqrt(squares / exact.length);
        JsonNode theirs = DEVIATIONS.get(name).get(dtype.toString());
        String message = "root of the mean square " + rms + ", largest " + max + ", transformers " + theirs;
        boolean isPartlyWide = name.endsWith("t5") && dtype == DType.FLOAT16;
        assertTrue(rms <= (isPartlyWide ? RMS_OF_T5 : RMS) * theirs.get("rms").asDouble(), message);
        assertTrue(max <= MAX * theirs.get("max").asDouble(), message);
    }

    /** The values that transformers computes in float32. */
    private static double[] exact(String name, JsonNode expected) {
        String output = switch (name) {
            case "clip" -> "image_embeds";
            case "bert", "minilm", "roberta", "xlm_roberta" -> "hidden";
            default -> "logits";
        };
        List<Double> flat = new ArrayList<>();
        expected.get(output).forEach(each -> {
            if (each.isArray()) {
                each.forEach(value -> flat.add(value.doubleValue()));
            } else {
                flat.add(each.doubleValue());
            }
        });
        return flat.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private float[] causal(Source source, DType dtype, JsonNode expected) {
        long[] ids = longs(expected.get("prompt"));
        try (CausalLM model = CausalLM.load(source, dtype, 16);
                Tensor input = machine.tensor(ids, 1, ids.length);
                Tensor logits = model.logits(input)) {
            return floats(logits);
        }
    }

    private float[] seq2seq(Source source, DType dtype, JsonNode expected) {
        long[] decoded = longs(expected.get("decoded"));
        try (Seq2SeqLM model = Seq2SeqLM.load(source, dtype);
                Tensor ids = machine.tensor(decoded, 1, decoded.length);
                Tensor logits = model.logits(List.of(Fixtures.ids(expected.get("prompt"))), ids)) {
            return floats(logits);
        }
    }

    private float[] encoder(Source source, DType dtype, JsonNode expected) {
        List<int[]> texts = expected.get("ids").valueStream().map(Fixtures::ids).toList();
        Encoder encoder = Embedder.encoder(source, dtype);
        Embedder.Batch batch = Embedder.batch(machine, encoder.padding(), texts);
        try (Tensor hidden = encoder.hidden(batch.ids(), batch.isToken())) {
            int rows = texts.get(0).length + texts.get(1).length;
            return Arrays.copyOf(floats(hidden.detach()), rows * encoder.features());
        } finally {
            WeightLoader.close(encoder);
        }
    }

    private float[] vit(Source source, DType dtype, JsonNode expected) {
        try (VisionTransformer vit = VisionTransformer.load(source, dtype);
                Tensor pixels = pixels(dtype, expected);
                Tensor logits = vit.logits(pixels)) {
            return floats(logits);
        }
    }

    private float[] clip(Source source, DType dtype, JsonNode expected) {
        try (Clip clip = Clip.load(source, dtype);
                Tensor pixels = pixels(dtype, expected);
                Tensor images = clip.embedImages(pixels)) {
            return floats(images);
        }
    }

    private Tensor pixels(DType dtype, JsonNode expected) {
        return machine.tensor(Fixtures.reals(expected.get("pixels")), 2, 3, 12, 12)
                .to(dtype);
    }

    private static float[] floats(Tensor tensor) {
        try (Tensor wide = tensor.to(DType.FLOAT32)) {
            return wide.toFloatArray();
        }
    }

    private static long[] longs(JsonNode ids) {
        return Arrays.stream(Fixtures.ids(ids)).asLongStream().toArray();
    }
}
