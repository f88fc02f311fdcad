package dev.outpost.system.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.AdaptiveLogSoftmaxWithLoss;
import dev.outpost.nn.AlphaDropout;
import dev.outpost.nn.AvgPool1d;
import dev.outpost.nn.BagMode;
import dev.outpost.nn.BatchNorm2d;
import dev.outpost.nn.Bilinear;
import dev.outpost.nn.CELU;
import dev.outpost.nn.ChannelShuffle;
import dev.outpost.nn.CircularPad1d;
import dev.outpost.nn.CircularPad2d;
import dev.outpost.nn.CircularPad3d;
import dev.outpost.nn.ConstantPad1d;
import dev.outpost.nn.ConstantPad2d;
import dev.outpost.nn.ConstantPad3d;
import dev.outpost.nn.CosineSimilarity;
import dev.outpost.nn.Dropout1d;
import dev.outpost.nn.Dropout2d;
import dev.outpost.nn.Dropout3d;
import dev.outpost.nn.EmbeddingBag;
import dev.outpost.nn.FeatureAlphaDropout;
import dev.outpost.nn.GELU;
import dev.outpost.nn.GLU;
import dev.outpost.nn.GroupNorm;
import dev.outpost.nn.Hardshrink;
import dev.outpost.nn.Hardsigmoid;
import dev.outpost.nn.Hardswish;
import dev.outpost.nn.Hardtanh;
import dev.outpost.nn.InstanceNorm1d;
import dev.outpost.nn.InstanceNorm2d;
import dev.outpost.nn.InstanceNorm3d;
import dev.outpost.nn.LPPool1d;
import dev.outpost.nn.LPPool2d;
import dev.outpost.nn.LocalResponseNorm;
import dev.outpost.nn.LogSigmoid;
import dev.outpost.nn.MaxPool1d;
import dev.outpost.nn.Mish;
import dev.outpost.nn.Module;
import dev.outpost.nn.PReLU;
import dev.outpost.nn.PairwiseDistance;
import dev.outpost.nn.PixelShuffle;
import dev.outpost.nn.PixelUnshuffle;
import dev.outpost.nn.RReLU;
import dev.outpost.nn.ReLU6;
import dev.outpost.nn.Reduction;
import dev.outpost.nn.ReflectionPad1d;
import dev.outpost.nn.ReflectionPad2d;
import dev.outpost.nn.ReflectionPad3d;
import dev.outpost.nn.ReplicationPad1d;
import dev.outpost.nn.ReplicationPad2d;
import dev.outpost.nn.ReplicationPad3d;
import dev.outpost.nn.SELU;
import dev.outpost.nn.Softmax2d;
import dev.outpost.nn.Softmin;
import dev.outpost.nn.Softplus;
import dev.outpost.nn.Softshrink;
import dev.outpost.nn.Softsign;
import dev.outpost.nn.SyncBatchNorm;
import dev.outpost.nn.Tanhshrink;
import dev.outpost.nn.Threshold;
import dev.outpost.nn.TripletMarginWithDistanceLoss;
import dev.outpost.nn.Unflatten;
import dev.outpost.nn.Unfold;
import dev.outpost.nn.ZeroPad1d;
import dev.outpost.nn.ZeroPad2d;
import dev.outpost.nn.ZeroPad3d;
import dev.outpost.system.Closeness;
import dev.outpost.system.torch.TorchFixture;
import dev.outpost.types.OpException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares layers, activations and losses with PyTorch: outputs, buffers, and the gradients of inputs and weights. */
class MoreLayersTest {
    private static final TorchFixture TORCH = TorchFixture.of("layers");
    private static final Map<String, Module> OF_ONE_TENSOR = Map.ofEntries(
            Map.entry("act_hardtanh", new Hardtanh(-0.5, 0.75)),
            Map.entry("act_relu6", new ReLU6()),
            Map.entry("act_hardsigmoid", new Hardsigmoid()),
            Map.entry("act_hardswish", new Hardswish()),
            Map.entry("act_selu", new SELU()),
            Map.entry("act_celu", new CELU(1.5)),
            Map.entry("act_gelu_tanh", new GELU(true)),
            Map.entry("act_gelu", new GELU()),
            Map.entry("act_glu", new GLU(1)),
            Map.entry("act_hardshrink", new Hardshrink()),
            Map.entry("act_softshrink", new Softshrink(0.25)),
            Map.entry("act_logsigmoid", new LogSigmoid()),
            Map.entry("act_mish", new Mish()),
            Map.entry("act_softsign", new Softsign()),
            Map.entry("act_tanhshrink", new Tanhshrink()),
            Map.entry("act_softmin", new Softmin(1)),
            Map.entry("act_softplus", new Softplus(2, 3)),
            Map.entry("act_threshold", new Threshold(0.1, 20)),
            Map.entry("act_prelu", new PReLU()),
            Map.entry("act_prelu_channels", new PReLU(4, 0.1)),
            Map.entry("act_rrelu", new RReLU().eval()),
            Map.entry("act_softmax2d", new Softmax2d()),
            Map.entry("groupnorm", new GroupNorm(2, 4)),
            Map.entry("groupnorm_plain", new GroupNorm(4, 4, 1e-3, false)),
            Map.entry("localresponsenorm", new LocalResponseNorm(3, 0.5, 0.7, 1.5)),
            Map.entry("instancenorm1d", new InstanceNorm1d(4)),
            Map.entry("instancenorm1d_unbatched", new InstanceNorm1d(4, 1e-5, 0.1, true, false)),
            Map.entry("instancenorm2d", new InstanceNorm2d(4, 1e-5, 0.1, true, false)),
            Map.entry("instancenorm2d_eval", new InstanceNorm2d(4, 1e-5, 0.1, true, true).eval()),
            Map.entry("instancenorm3d", new InstanceNorm3d(4, 1e-5, 0.3, false, true)),
            Map.entry("pad_Reflection1d", new ReflectionPad1d(2)),
            Map.entry("pad_Reflection2d", new ReflectionPad2d(1, 2, 3, 0)),
            Map.entry("pad_Reflection3d", new ReflectionPad3d(1, 2, 0, 1, 2, 1)),
            Map.entry("pad_Replication1d", new ReplicationPad1d(2)),
            Map.entry("pad_Replication2d", new ReplicationPad2d(1, 2, 3, 0)),
            Map.entry("pad_Replication3d", new ReplicationPad3d(1, 2, 0, 1, 2, 1)),
            Map.entry("pad_Circular1d", new CircularPad1d(2)),
            Map.entry("pad_Circular2d", new CircularPad2d(1, 2, 3, 0)),
            Map.entry("pad_Circular3d", new CircularPad3d(1, 2, 0, 1, 2, 1)),
            Map.entry("pad_Constant1d", new ConstantPad1d(3.5, 1, 2)),
            Map.entry("pad_Constant2d", new ConstantPad2d(3.5, 1, -2, -1, 2)),
            Map.entry("pad_Constant3d", new ConstantPad3d(3.5, 1)),
            Map.entry("pad_Zero1d", new ZeroPad1d(2)),
            Map.entry("pad_Zero2d", new ZeroPad2d(1, 2, 0, 3)),
            Map.entry("pad_Zero3d", new ZeroPad3d(1)),
            Map.entry("maxpool1d", new MaxPool1d(3, 2, 1, 1, false)),
            Map.entry("avgpool1d", new AvgPool1d(3, 2, 1, false, false)),
            Map.entry("lppool1d", new LPPool1d(3, 2)),
            Map.entry("lppool2d", new LPPool2d(2, 2, 1, false)),
            Map.entry("pixelshuffle", new PixelShuffle(2)),
            Map.entry("pixelunshuffle", new PixelUnshuffle(2)),
            Map.entry("channelshuffle", new ChannelShuffle(2)),
            Map.entry("unfold", new Unfold(new long[] {2, 3}, new long[] {1, 2}, new long[] {1, 1}, new long[] {2, 1})),
            Map.entry("embeddingbag", new EmbeddingBag(5, 3)),
            Map.entry("unflatten", new Unflatten(1, 2, 2)));

    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    static Stream<String> cases() {
        return TORCH.cases();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void layerMatchesPyTorch(String name) {
        Module ofOne = OF_ONE_TENSOR.get(name);
        if (ofOne != null) {
            TORCH.check(name, ofOne, machine, in -> List.of(ofOne.forward(in.getFirst())));
            return;
        }
        switch (name) {
            case "bilinear", "bilinear_nobias" -> {
                Bilinear layer = new Bilinear(3, 4, 2, name.equals("bilinear"));
                TORCH.check(name, layer, machine, in -> List.of(layer.forward(in.get(0), in.get(1))));
            }
            case "embeddingbag_max" -> {
                EmbeddingBag bag = new EmbeddingBag(5, 3, BagMode.MAX, false);
                TORCH.check(name, bag, machine, in -> List.of(bag.forward(in.get(0), in.get(1), null)));
            }
            case "embeddingbag_sum" -> {
                EmbeddingBag bag = new EmbeddingBag(5, 3, BagMode.SUM, true);
                TORCH.check(name, bag, machine, in -> List.of(bag.forward(in.get(0), in.get(1), in.get(2))));
            }
            case "cosinesimilarity" ->
                TORCH.check(name, machine, in -> List.of(new CosineSimilarity().forward(in.get(0), in.get(1))));
            case "pairwisedistance" ->
                TORCH.check(
                        name,
                        machine,
                        in -> List.of(new PairwiseDistance(3, 1e-6, true).forward(in.get(0), in.get(1))));
            case "triplet" -> triplet(name, new TripletMarginWithDistanceLoss());
            case "triplet_manhattan" ->
                triplet(
                        name,
                        new TripletMarginWithDistanceLoss(
                                (a, b) -> a.sub(b).abs().sum(-1), 2, true, Reduction.NONE));
            case "adaptive" -> {
                AdaptiveLogSoftmaxWithLoss loss = adaptive();
                TORCH.check(name, loss, machine, in -> {
                    AdaptiveLogSoftmaxWithLoss.Result result = loss.forward(in.get(0), in.get(1));
                    return List.of(result.output(), result.loss());
                });
            }
            case "adaptive_all" -> {
                AdaptiveLogSoftmaxWithLoss loss = adaptive();
                TORCH.check(
                        name, loss, machine, in -> List.of(loss.logProb(in.getFirst()), loss.predict(in.getFirst())));
            }
            default -> throw new AssertionError("no such case: " + name);
        }
    }

    private static void triplet(String name, TripletMarginWithDistanceLoss loss) {
        TORCH.check(name, machine, in -> List.of(loss.forward(in.get(0), in.get(1), in.get(2))));
    }

    private static AdaptiveLogSoftmaxWithLoss adaptive() {
        return new AdaptiveLogSoftmaxWithLoss(8, 12, new long[] {4, 9}, 2, true);
    }

    static Stream<Module> channelDropouts() {
        return Stream.of(new Dropout1d(0.5), new Dropout2d(0.5), new Dropout3d(0.5));
    }

    @ParameterizedTest
    @MethodSource("channelDropouts")
    void channelsAreDroppedWhole(Module dropout) {
        machine.manualSeed(1);
        long[] shape = dropout instanceof Dropout1d
                ? new long[] {40, 50, 4}
                : dropout instanceof Dropout2d ? new long[] {40, 50, 2, 2} : new long[] {40, 50, 2, 2, 1};
        Tensor output = dropout.forward(machine.ones(shape)).reshape(2000, 4);
        assertTrue(
                output.eq(output.select(1, 0).unsqueeze(1)).all().toBooleanArray()[0], "a channel is kept or dropped");
        assertTrue(output.eq(0).logicalOr(output.eq(2)).all().toBooleanArray()[0], "what is kept is doubled");
        assertEquals(1, output.mean().itemDouble(), 0.1);
        assertArrayEquals(
                new double[] {1, 1},
                dropout.eval()
                        .forward(machine.ones(shape))
                        .flatten()
                        .slice(0, 0, 2)
                        .toDoubleArray());
    }

    @Test
    void alphaDropoutKeepsMeanAndVariance() {
        machine.manualSeed(2);
        for (Module dropout : List.of(new AlphaDropout(0.3), new FeatureAlphaDropout(0.3))) {
            Tensor output = dropout.forward(machine.randn(200, 200, 2));
            assertEquals(0, output.mean().itemDouble(), 0.03);
            assertEquals(1, output.std().itemDouble(), 0.03);
        }
    }

    @Test
    void randomLeaksLieBetweenTheBoundsWhileTraining() {
        Tensor output = new RReLU().forward(machine.ones(1000).neg());
        assertTrue(output.le(-0.125).all().toBooleanArray()[0]
                && output.gt(-1.0 / 3).all().toBooleanArray()[0]);
        assertTrue(output.std().itemDouble() > 0.01, "the factors differ");
    }

    @Test
    void syncBatchNormIsABatchNormOfAnyRank() {
        BatchNorm2d plain = new BatchNorm2d(3);
        plain.to(machine);
        SyncBatchNorm sync = new SyncBatchNorm(3);
        sync.to(machine);
        Tensor images = machine.randn(4, 3, 2, 2);
        Closeness.assertClose(plain.forward(images).toDoubleArray(), sync.forward(images));
        assertEquals(2, sync.forward(machine.randn(4, 3)).dim());
    }

    @Test
    void settingsPrintAsInPyTorch() {
        assertEquals("Hardtanh(min_val=-1.0, max_val=1.0)", new Hardtanh().toString());
        assertEquals("GroupNorm(2, 4, eps=1e-05, affine=True, bias=True)", new GroupNorm(2, 4).toString());
        assertEquals("ReflectionPad2d((1, 1, 1, 1))", new ReflectionPad2d(1).toString());
        assertEquals("PReLU(num_parameters=1)", new PReLU().toString());
        assertEquals("EmbeddingBag(5, 3, mode='mean')", new EmbeddingBag(5, 3).toString());
    }

    @Test
    void badSettingsAreRefused() {
        assertEquals(
                "adaptive_log_softmax: cutoffs must ascend between 1 and 11, got [9, 4]",
                assertThrows(OpException.class, () -> new AdaptiveLogSoftmaxWithLoss(8, 12, 9, 4))
                        .getMessage());
        assertThrows(OpException.class, () -> new GroupNorm(3, 4));
        assertThrows(OpException.class, () -> new ZeroPad2d(1, 2));
        assertThrows(OpException.class, () -> new Dropout2d(1.5));
        assertThrows(OpException.class, () -> new InstanceNorm2d(4).forward(machine.zeros(2, 3, 4, 4)));
        assertThrows(OpException.class, () -> new ChannelShuffle(3).forward(machine.zeros(1, 4, 2)));
    }
}
