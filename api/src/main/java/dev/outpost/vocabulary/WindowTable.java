package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.WindowPadding;
import dev.outpost.ops.ValuesAndIndices;
import java.util.List;
import java.util.Map;

/** Convolutions and pooling. */
final class WindowTable {
    private static final Map<String, WindowPadding> PADDINGS =
            Map.of("same", WindowPadding.SAME, "valid", WindowPadding.VALID);

    private WindowTable() {}

    static void addTo(OpRegistry registry) {
        registry.one("nn.functional.conv1d", call -> convolution(call, Functional::conv1d, Functional::conv1d));
        registry.one("nn.functional.conv2d", call -> convolution(call, Functional::conv2d, Functional::conv2d));
        registry.one("nn.functional.conv3d", call -> convolution(call, Functional::conv3d, Functional::conv3d));
        transposed(registry, "nn.functional.conv_transpose1d", Functional::convTranspose1d);
        transposed(registry, "nn.functional.conv_transpose2d", Functional::convTranspose2d);
        transposed(registry, "nn.functional.conv_transpose3d", Functional::convTranspose3d);
        adaptive(registry, "nn.functional.adaptive_avg_pool1d", Functional::adaptiveAvgPool1d);
        adaptive(registry, "nn.functional.adaptive_avg_pool2d", Functional::adaptiveAvgPool2d);
        adaptive(registry, "nn.functional.adaptive_avg_pool3d", Functional::adaptiveAvgPool3d);
        adaptiveMax(registry, "nn.functional.adaptive_max_pool1d", Functional::adaptiveMaxPool1dWithIndices);
        adaptiveMax(registry, "nn.functional.adaptive_max_pool2d", Functional::adaptiveMaxPool2dWithIndices);
        adaptiveMax(registry, "nn.functional.adaptive_max_pool3d", Functional::adaptiveMaxPool3dWithIndices);
        unpool(registry, "nn.functional.max_unpool1d", Functional::maxUnpool1d);
        unpool(registry, "nn.functional.max_unpool2d", Functional::maxUnpool2d);
        unpool(registry, "nn.functional.max_unpool3d", Functional::maxUnpool3d);
        registry.many("nn.functional.max_pool3d", call -> maxPool(call, Functional::maxPool3dWithIndices));
        registry.one(
                "nn.functional.avg_pool3d",
                call -> Functional.avgPool3d(
                        call.self(),
                        call.at(1, "kernel_size").sizes(),
                        sizes(call.at(2, "stride")),
                        sizes(call.at(3, "padding"), 0),
                        call.at(4, "ceil_mode").bool(false),
                        call.at(5, "count_include_pad").bool(true),
                        divisor(call.at(6, "divisor_override"))));
        registry.many("nn.functional.max_pool1d", call -> maxPool(call, Functional::maxPool1dWithIndices));
        registry.many("nn.functional.max_pool2d", call -> maxPool(call, Functional::maxPool2dWithIndices));
        registry.one(
                "nn.functional.avg_pool1d",
                call -> Functional.avgPool1d(
                        call.self(),
                        call.at(1, "kernel_size").sizes(),
                        sizes(call.at(2, "stride")),
                        sizes(call.at(3, "padding"), 0),
                        call.at(4, "ceil_mode").bool(false),
                        call.at(5, "count_include_pad").bool(true)));
        registry.one(
                "nn.functional.avg_pool2d",
                call -> Functional.avgPool2d(
                        call.self(),
                        call.at(1, "kernel_size").sizes(),
                        sizes(call.at(2, "stride")),
                        sizes(call.at(3, "padding"), 0),
                        call.at(4, "ceil_mode").bool(false),
                        call.at(5, "count_include_pad").bool(true),
                        divisor(call.at(6, "divisor_override"))));
    }

    @FunctionalInterface
    private interface Transposed {
        Tensor apply(
                Tensor input,
                Tensor weight,
                Tensor bias,
                long[] stride,
                long[] padding,
                long[] outputPadding,
                int groups,
                long[] dilation);
    }

    private static void transposed(OpRegistry registry, String name, Transposed op) {
        registry.one(
                name,
                call -> op.apply(
                        call.self(),
                        call.at(1, "weight").tensor(),
                        call.at(2, "bias").tensorOrNull(),
                        sizes(call.at(3, "stride"), 1),
                        sizes(call.at(4, "padding"), 0),
                        sizes(call.at(5, "output_padding"), 0),
                        call.at(6, "groups").dim(1),
                        sizes(call.at(7, "dilation"), 1)));
    }

    @FunctionalInterface
    private interface Adaptive<T> {
        T apply(Tensor input, Long... output);
    }

    private static void adaptive(OpRegistry registry, String name, Adaptive<Tensor> op) {
        registry.one(name, call -> op.apply(call.self(), output(call)));
    }

    private static void adaptiveMax(OpRegistry registry, String name, Adaptive<ValuesAndIndices> op) {
        registry.many(name, call -> {
            ValuesAndIndices largest = op.apply(call.self(), output(call));
            return answer(largest, call.at(2, "return_indices").bool(false));
        });
    }

    /** Returns the output size. None stands for the input's size. */
    private static Long[] output(OpCall call) {
        BoundArgument output = call.at(1, "output_size");
        List<BoundArgument> sizes = output.isList() ? output.items() : List.of(output);
        return sizes.stream()
                .map(size -> size.isPresent() ? (Long) size.integer() : null)
                .toArray(Long[]::new);
    }

    @FunctionalInterface
    private interface Unpool {
        Tensor apply(Tensor input, Tensor indices, long[] window, long[] stride, long[] padding, long[] output);
    }

    private static void unpool(OpRegistry registry, String name, Unpool op) {
        registry.one(name, call -> {
            BoundArgument output = call.at(5, "output_size");
            return op.apply(
                    call.self(),
                    call.at(1, "indices").tensor(),
                    call.at(2, "kernel_size").sizes(),
                    sizes(call.at(3, "stride")),
                    sizes(call.at(4, "padding"), 0),
                    output.isPresent() ? output.sizes() : null);
        });
    }

    /** A convolution whose padding is given as numbers. */
    @FunctionalInterface
    private interface Padded {
        Tensor apply(
                Tensor input, Tensor weight, Tensor bias, long[] stride, long[] padding, long[] dilation, int groups);
    }

    /** A convolution whose padding is given by name. */
    @FunctionalInterface
    private interface Named {
        Tensor apply(
                Tensor input,
                Tensor weight,
                Tensor bias,
                long[] stride,
                WindowPadding padding,
                long[] dilation,
                int groups);
    }

    private static Tensor convolution(OpCall call, Padded padded, Named named) {
        Tensor weight = call.at(1, "weight").tensor();
        Tensor bias = call.at(2, "bias").tensorOrNull();
        long[] stride = sizes(call.at(3, "stride"), 1);
        BoundArgument padding = call.at(4, "padding");
        long[] dilation = sizes(call.at(5, "dilation"), 1);
        int groups = call.at(6, "groups").dim(1);
        return padding.isText()
                ? named.apply(call.self(), weight, bias, stride, padding.choice(PADDINGS, null), dilation, groups)
                : padded.apply(call.self(), weight, bias, stride, sizes(padding, 0), dilation, groups);
    }

    @FunctionalInterface
    private interface MaxPool {
        ValuesAndIndices apply(
                Tensor input, long[] window, long[] stride, long[] padding, long[] dilation, boolean ceil);
    }

    private static List<Tensor> maxPool(OpCall call, MaxPool pool) {
        boolean withIndices = call.named("return_indices").bool(false);
        ValuesAndIndices largest = pool.apply(
                call.self(),
                call.at(1, "kernel_size").sizes(),
                sizes(call.at(2, "stride")),
                sizes(call.at(3, "padding"), 0),
                sizes(call.at(4, "dilation"), 1),
                call.named("ceil_mode").bool(false));
        return answer(largest, withIndices);
    }

    private static List<Tensor> answer(ValuesAndIndices largest, boolean withIndices) {
        if (withIndices) {
            return largest.tensors();
        }
        largest.indices().close();
        return List.of(largest.values());
    }

    private static long[] sizes(BoundArgument boundArgument, long... otherwise) {
        return boundArgument.isPresent() ? boundArgument.sizes() : otherwise;
    }

    private static Long divisor(BoundArgument boundArgument) {
        return boundArgument.isPresent() ? boundArgument.integer() : null;
    }
}
