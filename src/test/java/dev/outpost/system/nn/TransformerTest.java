package dev.outpost.system.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.DecoderMasks;
import dev.outpost.nn.LayerNorm;
import dev.outpost.nn.MultiheadAttention;
import dev.outpost.nn.MultiheadAttentionOptions;
import dev.outpost.nn.Transformer;
import dev.outpost.nn.TransformerDecoderLayer;
import dev.outpost.nn.TransformerEncoder;
import dev.outpost.nn.TransformerEncoderLayer;
import dev.outpost.nn.TransformerOptions;
import dev.outpost.system.torch.TorchFixture;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares attention with projections and layers of transformers with PyTorch. */
class TransformerTest {
    private static final TorchFixture TORCH = TorchFixture.of("transformer");
    private static final TransformerOptions SMALL =
            TransformerOptions.of(6, 2).feedForward(5).dropout(0);

    private static RemoteMachine machine;
    private static Tensor forbidden;
    private static Tensor padding;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
        boolean t = true;
        boolean f = false;
        forbidden = machine.tensor(new boolean[] {f, t, f, f, f, f, t, f, t, f, f, f}, 3, 4);
        padding = machine.tensor(new boolean[] {f, f, f, t, f, f, f, f}, 2, 4);
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    private static Stream<String> cases(boolean attention) {
        return TORCH.cases().filter(name -> !name.equals("masks")).filter(name -> name.startsWith("mha") == attention);
    }

    static Stream<String> attentions() {
        return cases(true);
    }

    static Stream<String> layers() {
        return cases(false);
    }

    @ParameterizedTest
    @MethodSource("attentions")
    void attentionIsPyTorchs(String name) {
        String variant = name.substring("mha_".length());
        MultiheadAttentionOptions options = MultiheadAttentionOptions.defaults();
        MultiheadAttention.Call call = MultiheadAttention.Call.defaults();
        switch (variant) {
            case "sizes" -> options = options.keySize(5).valueSize(4);
            case "masks" -> call = call.mask(forbidden).keyPadding(padding);
            case "heads" -> call = call.mask(added()).averageWeights(false);
            case "extra" -> {
                options = options.addBiasKv(true).addZeroAttention(true);
                call = call.mask(added()).keyPadding(padding);
            }
            case "unweighted" -> call = call.mask(added()).needWeights(false);
            case "batchfirst" -> options = options.batchFirst(true).bias(false);
            case "causal" -> call = call.causal(true).needWeights(false);
            default -> {}
        }
        MultiheadAttention.Call made = call;
        MultiheadAttention attention = new MultiheadAttention(6, 3, options);
        TORCH.check(name, attention, machine, in -> {
            Tensor key = in.get(Math.min(1, in.size() - 1));
            return tensors(attention.forward(in.getFirst(), key, in.getLast(), made));
        });
    }

    private static List<Tensor> tensors(MultiheadAttention.Result result) {
        return result.weights() == null ? List.of(result.output()) : List.of(result.output(), result.weights());
    }

    private static Tensor added() {
        return machine.tensor(TORCH.get("masks/added"));
    }

    private static Tensor causal(long size) {
        return Transformer.generateSquareSubsequentMask(machine, size, DType.FLOAT64);
    }

    @ParameterizedTest
    @MethodSource("layers")
    void layersArePyTorchs(String name) {
        switch (name) {
            case "encoderlayer" -> encoderLayer(name, SMALL, null);
            case "encoderlayer_first" ->
                encoderLayer(
                        name, SMALL.normFirst(true).activation(Tensor::gelu).layerNormEps(1e-3), padding);
            case "encoderlayer_nobias" -> encoderLayer(name, SMALL.bias(false).batchFirst(true), null);
            case "decoderlayer" -> {
                TransformerDecoderLayer layer = new TransformerDecoderLayer(SMALL);
                TORCH.check(name, layer, machine, in -> List.of(layer.forward(in.get(0), in.get(1))));
            }
            case "decoderlayer_masks" -> {
                TransformerDecoderLayer layer = new TransformerDecoderLayer(SMALL.normFirst(true));
                DecoderMasks masks =
                        DecoderMasks.none().targetCausal(true).memory(forbidden).memoryPadding(padding);
                TORCH.check(name, layer, machine, in -> List.of(layer.forward(in.get(0), in.get(1), masks)));
            }
            case "encoder" -> {
                TransformerEncoder encoder = new TransformerEncoder(SMALL, 2, new LayerNorm(6));
                TORCH.check(name, encoder, machine, in -> List.of(encoder.forward(in.getFirst(), null, null, true)));
            }
            case "transformer" -> {
                Transformer transformer = new Transformer(SMALL, 2, 1);
                DecoderMasks masks = DecoderMasks.none().target(causal(3));
                TORCH.check(
                        name,
                        transformer,
                        machine,
                        in -> List.of(transformer.forward(in.get(0), in.get(1), null, padding, masks)));
            }
            default -> throw new AssertionError("no such layer: " + name);
        }
    }

    private static void encoderLayer(String name, TransformerOptions options, Tensor keyPadding) {
        TransformerEncoderLayer layer = new TransformerEncoderLayer(options);
        TORCH.check(name, layer, machine, in -> List.of(layer.forward(in.getFirst(), null, keyPadding, false)));
    }

    @Test
    void defaultsArePyTorchs() {
        TransformerOptions options = TransformerOptions.of(512, 8);
        assertEquals(2048, options.feedForward());
        assertEquals(0.1, options.dropout());
        assertEquals(
                44_140_544,
                new Transformer()
                        .parameters().stream()
                                .mapToLong(parameter -> parameter.shape().elements())
                                .sum());
    }

    @Test
    void weightsAreAnsweredWhereTheyAreAskedFor() {
        MultiheadAttention attention = new MultiheadAttention(6, 3);
        attention.to(machine);
        Tensor input = machine.randn(4, 2, 6);
        assertArrayEquals(
                new long[] {2, 4, 4},
                attention.forward(input, input, input).weights().shape().toArray());
        assertNull(attention
                .forward(input, input, input, MultiheadAttention.Call.defaults().needWeights(false))
                .weights());
    }

    @Test
    void badShapesAreRefused() {
        assertEquals(
                "multihead_attention: the features must divide into heads, got 6 and 4",
                assertThrows(OpException.class, () -> new MultiheadAttention(6, 4))
                        .getMessage());
        MultiheadAttention attention = new MultiheadAttention(6, 3);
        attention.to(machine);
        Tensor input = machine.randn(4, 2, 6);
        assertEquals(
                "multihead_attention: query, key and value must have 6, 6 and 6 features, and a value for each key, got"
                        + " [4, 2, 6], [4, 2, 6] and [3, 2, 6]",
                assertThrows(OpException.class, () -> attention.forward(input, input, machine.randn(3, 2, 6)))
                        .getMessage());
        assertThrows(
                OpException.class,
                () -> attention.forward(
                        input, input, input, MultiheadAttention.Call.defaults().mask(machine.zeros(3, 3))));
    }
}
