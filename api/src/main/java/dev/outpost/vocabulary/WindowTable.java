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

    static void addTo(Vocabulary table) {
        table.one("nn.functional.conv1d", call -> convolution(call, Functional::conv1d, Functional::conv1d));
        table.one("nn.functional.conv2d", call -> convolution(call, Functional::conv2d, Functional::conv2d));
        table.many("nn.functional.max_pool1d", call -> maxPool(call, Functional::maxPool1dWithIndices));
        table.many("nn.functional.max_pool2d", call -> maxPool(call, Functional::maxPool2dWithIndices));
        table.one(
                "nn.functional.avg_pool1d",
                call -> Functional.avgPool1d(
                        call.self(),
                        call.at(1, "kernel_size").sizes(),
                        sizes(call.at(2, "stride")),
                        sizes(call.at(3, "padding"), 0),
                        call.at(4, "ceil_mode").bool(false),
                        call.at(5, "count_include_pad").bool(true)));
        table.one(
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

    /** A convolution whose padding is counted. */
    @FunctionalInterface
    private interface Padded {
        Tensor apply(
                Tensor input, Tensor weight, Tensor bias, long[] stride, long[] padding, long[] dilation, int groups);
    }

    /** A convolution whose padding has a name. */
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

    private static Tensor convolution(Call call, Padded padded, Named named) {
        Tensor weight = call.at(1, "weight").tensor();
        Tensor bias = call.at(2, "bias").tensorOrNull();
        long[] stride = sizes(call.at(3, "stride"), 1);
        Given padding = call.at(4, "padding");
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

    private static List<Tensor> maxPool(Call call, MaxPool pool) {
        boolean withIndices = call.named("return_indices").bool(false);
        ValuesAndIndices largest = pool.apply(
                call.self(),
                call.at(1, "kernel_size").sizes(),
                sizes(call.at(2, "stride")),
                sizes(call.at(3, "padding"), 0),
                sizes(call.at(4, "dilation"), 1),
                call.named("ceil_mode").bool(false));
        return withIndices ? largest.tensors() : List.of(largest.values());
    }

    private static long[] sizes(Given given, long... otherwise) {
        return given.isPresent() ? given.sizes() : otherwise;
    }

    private static Long divisor(Given given) {
        return given.isPresent() ? given.integer() : null;
    }
}
