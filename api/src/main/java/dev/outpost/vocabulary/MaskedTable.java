package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.ops.Masked;
import java.util.List;

/** Reductions over the elements that a mask selects (torch.masked). */
final class MaskedTable {
    private MaskedTable() {}

    static void addTo(OpRegistry registry) {
        for (String fold : List.of("sum", "prod", "amax", "amin", "mean", "logsumexp", "median")) {
            registry.typed("masked." + fold, "input mask dim keepdim");
        }
        for (String index : List.of("argmax", "argmin")) {
            registry.typed("masked." + index, "input mask dim keepdim", "input mask");
        }
        for (String alongDim : List.of("cumsum", "cumprod", "softmax", "log_softmax", "softmin")) {
            registry.typed("masked." + alongDim, "input mask dim");
        }
        registry.typed("masked.norm", "input mask ord dim keepdim");
        registry.typed("masked.normalize", "input mask ord dim eps");
        registry.typed("masked.logaddexp", "input other input_mask other_mask");
        addStatistics(registry);
    }

    private static Tensor mask(OpCall call) {
        return call.named("mask").tensorOrNull();
    }

    private static boolean keepDim(OpCall call) {
        return call.named("keepdim").bool(false);
    }

    private static int[] dims(OpCall call) {
        return call.named("dim").dims();
    }

    private static void addStatistics(OpRegistry registry) {
        registry.one(
                "masked.var", call -> Masked.var(call.self(), mask(call), dims(call), correction(call), keepDim(call)));
        registry.one(
                "masked.std", call -> Masked.std(call.self(), mask(call), dims(call), correction(call), keepDim(call)));
    }

    private static double correction(OpCall call) {
        return call.named("unbiased").bool(true) ? 1 : 0;
    }
}
