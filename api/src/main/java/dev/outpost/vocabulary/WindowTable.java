package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.ops.ValuesAndIndices;
import java.util.List;

/** Convolutions and pooling. */
final class WindowTable {
    private WindowTable() {}

    static void addTo(OpRegistry registry) {
        adaptiveMax(registry, "nn.functional.adaptive_max_pool1d", Functional::adaptiveMaxPool1dWithIndices);
        adaptiveMax(registry, "nn.functional.adaptive_max_pool2d", Functional::adaptiveMaxPool2dWithIndices);
        adaptiveMax(registry, "nn.functional.adaptive_max_pool3d", Functional::adaptiveMaxPool3dWithIndices);
        unpool(registry, "nn.functional.max_unpool1d", Functional::maxUnpool1d);
        unpool(registry, "nn.functional.max_unpool2d", Functional::maxUnpool2d);
        unpool(registry, "nn.functional.max_unpool3d", Functional::maxUnpool3d);
        registry.many("nn.functional.max_pool3d", call -> maxPool(call, Functional::maxPool3dWithIndices));
        registry.many("nn.functional.max_pool1d", call -> maxPool(call, Functional::maxPool1dWithIndices));
        registry.many("nn.functional.max_pool2d", call -> maxPool(call, Functional::maxPool2dWithIndices));
    }

    @FunctionalInterface
    private interface Adaptive {
        ValuesAndIndices apply(Tensor input, Long... output);
    }

    private static void adaptiveMax(OpRegistry registry, String name, Adaptive op) {
        registry.many(name, call -> {
            ValuesAndIndices largest =
                    op.apply(call.self(), call.at(1, "output_size").sizesOrNone());
            return answer(largest, call.at(2, "return_indices").bool(false));
        });
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
}
