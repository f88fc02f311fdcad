package dev.outpost.system.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.AdaptiveAvgPool1d;
import dev.outpost.nn.AdaptiveAvgPool2d;
import dev.outpost.nn.AdaptiveAvgPool3d;
import dev.outpost.nn.AdaptiveMaxPool1d;
import dev.outpost.nn.AdaptiveMaxPool2d;
import dev.outpost.nn.AdaptiveMaxPool3d;
import dev.outpost.nn.AvgPool3d;
import dev.outpost.nn.CTCLoss;
import dev.outpost.nn.Conv3d;
import dev.outpost.nn.ConvTranspose1d;
import dev.outpost.nn.ConvTranspose2d;
import dev.outpost.nn.ConvTranspose3d;
import dev.outpost.nn.ConvolutionSettings;
import dev.outpost.nn.Fold;
import dev.outpost.nn.FractionalMaxPool2d;
import dev.outpost.nn.FractionalMaxPool3d;
import dev.outpost.nn.Functional;
import dev.outpost.nn.InterpolationMode;
import dev.outpost.nn.LPPool3d;
import dev.outpost.nn.MaxPool1d;
import dev.outpost.nn.MaxPool2d;
import dev.outpost.nn.MaxPool3d;
import dev.outpost.nn.MaxUnpool1d;
import dev.outpost.nn.MaxUnpool2d;
import dev.outpost.nn.MaxUnpool3d;
import dev.outpost.nn.Module;
import dev.outpost.nn.Reduction;
import dev.outpost.nn.TransposedLayer;
import dev.outpost.nn.Upsample;
import dev.outpost.nn.UpsamplingBilinear2d;
import dev.outpost.nn.UpsamplingNearest2d;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.system.torch.TorchFixture;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares convolutions of volumes, transposed convolutions, pooling, resizing and CTC with PyTorch, including gradients. */
class WindowFixturesTest {
    private static final TorchFixture TORCH = TorchFixture.of("windows");
    private static final ConvolutionSettings FULL = ConvolutionSettings.of(3)
            .stride(2)
            .padding(1)
            .outputPadding(1)
            .groups(2)
            .dilation(2);
    private static final ConvolutionSettings SIZED = ConvolutionSettings.of(3).stride(2);

    private static RemoteMachine machine;

    /** A layer of a case, and its call. */
    private record Layer(Module module, Function<List<Tensor>, List<Tensor>> call) {
        static Layer of(Module module) {
            return new Layer(module, inputs -> List.of(module.forward(inputs.get(0))));
        }

        static Layer pair(Module module, Function<Tensor, ValuesAndIndices> call) {
            return new Layer(module, inputs -> call.apply(inputs.get(0)).tensors());
        }

        static Layer sized(TransposedLayer module, long... size) {
            return new Layer(module, inputs -> List.of(module.forward(inputs.get(0), size)));
        }
    }

    private static Map<String, Layer> layers() {
        MaxPool1d pool1 = new MaxPool1d(2);
        MaxPool2d pool2 = new MaxPool2d(2);
        MaxPool3d pool3 = new MaxPool3d(2);
        AdaptiveMaxPool1d max1 = new AdaptiveMaxPool1d(3L);
        AdaptiveMaxPool2d max2 = new AdaptiveMaxPool2d(3L);
        AdaptiveMaxPool3d max3 = new AdaptiveMaxPool3d(3L);
        MaxUnpool1d back1 = new MaxUnpool1d(2);
        MaxUnpool2d back2 = new MaxUnpool2d(2);
        MaxUnpool3d back3 = new MaxUnpool3d(2);
        return Map.ofEntries(
                Map.entry("conv3d", Layer.of(new Conv3d(4, 3, 2))),
                Map.entry(
                        "conv3d_full",
                        Layer.of(new Conv3d(
                                4,
                                6,
                                ConvolutionSettings.of(2, 3, 1)
                                        .stride(1, 2, 3)
                                        .padding(1, 0, 2)
                                        .dilation(1, 2, 1)
                                        .groups(2),
                                false))),
                Map.entry("convtranspose1d", Layer.of(new ConvTranspose1d(4, 3, 2))),
                Map.entry("convtranspose2d", Layer.of(new ConvTranspose2d(4, 3, 2))),
                Map.entry("convtranspose3d", Layer.of(new ConvTranspose3d(4, 3, 2))),
                Map.entry("convtranspose1d_full", Layer.of(new ConvTranspose1d(4, 6, FULL, false))),
                Map.entry("convtranspose2d_full", Layer.of(new ConvTranspose2d(4, 6, FULL, false))),
                Map.entry("convtranspose3d_full", Layer.of(new ConvTranspose3d(4, 6, FULL, false))),
                Map.entry("convtranspose1d_sized", Layer.sized(new ConvTranspose1d(4, 2, SIZED, true), 16)),
                Map.entry("convtranspose2d_sized", Layer.sized(new ConvTranspose2d(4, 2, SIZED, true), 14, 12)),
                Map.entry("convtranspose3d_sized", Layer.sized(new ConvTranspose3d(4, 2, SIZED, true), 10, 12, 14)),
                Map.entry("adaptiveavg1d", Layer.of(new AdaptiveAvgPool1d(3L))),
                Map.entry("adaptiveavg2d", Layer.of(new AdaptiveAvgPool2d(3L))),
                Map.entry("adaptiveavg2d_kept", Layer.of(new AdaptiveAvgPool2d(null, 2L))),
                Map.entry("adaptiveavg3d", Layer.of(new AdaptiveAvgPool3d(3L))),
                Map.entry("adaptivemax1d", Layer.pair(max1, max1::forwardWithIndices)),
                Map.entry("adaptivemax2d", Layer.pair(max2, max2::forwardWithIndices)),
                Map.entry("adaptivemax3d", Layer.pair(max3, max3::forwardWithIndices)),
                Map.entry("maxpool1d_indices", Layer.pair(pool1, pool1::forwardWithIndices)),
                Map.entry("maxpool2d_indices", Layer.pair(pool2, pool2::forwardWithIndices)),
                Map.entry("maxpool3d_indices", Layer.pair(pool3, pool3::forwardWithIndices)),
                Map.entry("maxunpool1d", new Layer(back1, in -> List.of(back1.forward(in.get(0), in.get(1))))),
                Map.entry("maxunpool2d", new Layer(back2, in -> List.of(back2.forward(in.get(0), in.get(1))))),
                Map.entry("maxunpool3d", new Layer(back3, in -> List.of(back3.forward(in.get(0), in.get(1))))),
                Map.entry("maxunpool1d_sized", new Layer(back1, in -> List.of(back1.forward(in.get(0), in.get(1), 7)))),
                Map.entry(
                        "maxunpool2d_sized",
                        new Layer(back2, in -> List.of(back2.forward(in.get(0), in.get(1), 6, 5)))),
                Map.entry(
                        "maxunpool3d_sized",
                        new Layer(back3, in -> List.of(back3.forward(in.get(0), in.get(1), 4, 5, 6)))),
                Map.entry(
                        "maxpool3d",
                        Layer.of(new MaxPool3d(
                                new long[] {2, 3, 2}, new long[] {2}, new long[] {1, 1, 0}, new long[] {1}, true))),
                Map.entry(
                        "avgpool3d",
                        Layer.of(new AvgPool3d(
                                new long[] {2, 3, 2}, new long[] {2}, new long[] {1, 1, 0}, true, false, null))),
                Map.entry(
                        "avgpool3d_divisor",
                        Layer.of(new AvgPool3d(new long[] {2}, new long[] {2}, new long[] {0}, false, true, 3L))),
                Map.entry("lppool3d", Layer.of(new LPPool3d(2, 2, 1, false))),
                Map.entry(
                        "fold",
                        Layer.of(new Fold(
                                new long[] {6, 5}, new long[] {2, 3}, new long[] {1, 2}, new long[] {1, 1}, new long[] {
                                    2, 1
                                }))),
                Map.entry("fold_unbatched", Layer.of(new Fold(new long[] {5, 6}, 2))),
                Map.entry("upsample", Layer.of(new Upsample(2))),
                Map.entry("upsample_linear", Layer.of(Upsample.toSize(InterpolationMode.LINEAR, false, 11))),
                Map.entry("upsample_bicubic", Layer.of(Upsample.toSize(InterpolationMode.BICUBIC, true, 9, 4))),
                Map.entry(
                        "upsample_trilinear", Layer.of(Upsample.byFactor(InterpolationMode.LINEAR, false, 1.5, 2, 1))),
                Map.entry("upsamplingnearest2d", Layer.of(new UpsamplingNearest2d(3))),
                Map.entry("upsamplingbilinear2d", Layer.of(new UpsamplingBilinear2d(9, 8))));
    }

    private static final Map<String, Layer> LAYERS = layers();

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    static Stream<String> cases() {
        return LAYERS.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void layersComputeWhatPyTorchsDo(String name) {
        Layer layer = LAYERS.get(name);
        TORCH.check(name, layer.module(), machine, layer.call());
    }

    @Test
    void everyCaseOfPyTorchIsTested() {
        assertEquals(
                List.of("ctc_joined", "ctc_mean", "ctc_none", "ctc_sum", "ctc_zero", "fractional2d", "fractional3d"),
                TORCH.cases().filter(name -> !LAYERS.containsKey(name)).toList());
    }

    @Test
    void fractionalPoolingTakesTheWindowsOfItsSamples() {
        TORCH.check(
                "fractional2d",
                machine,
                inputs -> Functional.fractionalMaxPool2dWithIndices(
                                inputs.get(0),
                                new long[] {2, 3},
                                new long[] {4, 2},
                                machine.tensor(TORCH.get("fractional2d/samples")))
                        .tensors());
        TORCH.check(
                "fractional3d",
                machine,
                inputs -> Functional.fractionalMaxPool3dWithIndices(
                                inputs.get(0),
                                new long[] {2},
                                new long[] {2, 3, 4},
                                machine.tensor(TORCH.get("fractional3d/samples")))
                        .tensors());
    }

    @Test
    void fractionalLayersDrawTheirWindows() {
        machine.manualSeed(3);
        Tensor images = machine.randn(2, 3, 9, 8);
        FractionalMaxPool2d layer = new FractionalMaxPool2d(new long[] {2}, 5, 4);
        Tensor first = layer.forward(images);
        assertEquals(Shape.of(2, 3, 5, 4), first.shape());
        assertTrue(!first.equal(layer.forward(images)), "windows are drawn anew");
        ValuesAndIndices found = layer.forwardWithIndices(images);
        assertArrayEquals(
                images.flatten(2, 3).gather(2, found.indices().flatten(2, 3)).toDoubleArray(),
                found.values().toDoubleArray());
        Tensor volume = machine.randn(3, 8, 8, 8);
        assertEquals(
                Shape.of(3, 4, 4, 4),
                FractionalMaxPool3d.byRatio(new long[] {2}, 0.5).forward(volume).shape());
    }

    private static Tensor ctc(CTCLoss loss, Tensor logits, Tensor targets, long... steps) {
        return loss.forward(
                logits.logSoftmax(2), targets, machine.tensor(steps, 3), machine.tensor(new long[] {4, 2, 3}, 3));
    }

    @Test
    void ctcIsPyTorchs() {
        Tensor targets = machine.tensor(new long[] {1, 1, 4, 2, 2, 3, 1, 1, 4, 4, 4, 4}, 3, 4);
        for (Reduction reduction : List.of(Reduction.NONE, Reduction.MEAN, Reduction.SUM)) {
            CTCLoss loss = new CTCLoss(0, reduction, false);
            TORCH.check(
                    "ctc_" + reduction.name().toLowerCase(),
                    machine,
                    in -> List.of(ctc(loss, in.get(0), targets, 9, 7, 8)));
        }
        CTCLoss joined = new CTCLoss(2, Reduction.NONE, false);
        Tensor all = machine.tensor(new long[] {1, 1, 4, 0, 0, 3, 4, 4, 4}, 9);
        TORCH.check("ctc_joined", machine, in -> List.of(ctc(joined, in.get(0), all, 9, 7, 8)));
        CTCLoss zero = new CTCLoss(0, Reduction.NONE, true);
        TORCH.check("ctc_zero", machine, in -> List.of(ctc(zero, in.get(0), targets, 9, 7, 4)));
    }

    @Test
    void badSettingsAreRefused() {
        OpException groups = assertThrows(
                OpException.class,
                () -> new ConvTranspose2d(3, 4, ConvolutionSettings.of(2).groups(2), true));
        assertEquals("ConvTranspose2d: channels must divide into groups, got 3 and 4 in 2", groups.getMessage());
        OpException kernel =
                assertThrows(OpException.class, () -> new Conv3d(3, 4, ConvolutionSettings.of(2, 2), true));
        assertEquals("convolution: the kernel must have one number or 3, got [2, 2]", kernel.getMessage());
        OpException columns =
                assertThrows(OpException.class, () -> new Fold(new long[] {4, 4}, 2).forward(machine.zeros(1, 4, 8)));
        assertEquals(
                "fold: columns of 4 elements for each channel and 9 windows are needed, got [1, 4, 8]",
                columns.getMessage());
    }

    @Test
    void layersPrintTheirSettings() {
        assertEquals(
                "ConvTranspose2d(4, 6, kernel_size=(3, 3), stride=(2, 2), padding=(1, 1), dilation=(2, 2), output_padding=(1, 1), groups=2, bias=False)",
                new ConvTranspose2d(4, 6, FULL, false).toString());
        assertEquals("Conv3d(3, 8, kernel_size=(5, 5, 5), stride=(1, 1, 1))", new Conv3d(3, 8, 5).toString());
        assertEquals("AdaptiveAvgPool2d(output_size=(None, 2))", new AdaptiveAvgPool2d(null, 2L).toString());
    }
}
