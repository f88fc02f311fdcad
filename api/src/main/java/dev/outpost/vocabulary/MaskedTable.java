package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.ops.Masked;

/** Reductions over the elements that a mask selects (torch.masked). */
final class MaskedTable {
    private MaskedTable() {}

    static void addTo(OpRegistry registry) {
        addFolds(registry);
        addStatistics(registry);
        addAlongDim(registry);
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

    private interface Fold {
        Tensor apply(Tensor input, Tensor mask, int[] dims, boolean keepDim);
    }

    private static void fold(OpRegistry registry, String name, Fold op) {
        registry.one("masked." + name, call -> op.apply(call.self(), mask(call), dims(call), keepDim(call)));
    }

    private static void addFolds(OpRegistry registry) {
        fold(registry, "sum", Masked::sum);
        fold(registry, "prod", Masked::prod);
        fold(registry, "amax", Masked::amax);
        fold(registry, "amin", Masked::amin);
        fold(registry, "mean", Masked::mean);
        fold(registry, "logsumexp", Masked::logsumexp);
        registry.one("masked.argmax", call -> index(call, Masked::argmax, Masked::argmax));
        registry.one("masked.argmin", call -> index(call, Masked::argmin, Masked::argmin));
    }

    private interface IndexOfAll {
        Tensor apply(Tensor input, Tensor mask);
    }

    private interface IndexAlongDim {
        Tensor apply(Tensor input, Tensor mask, int dim, boolean keepDim);
    }

    private static Tensor index(OpCall call, IndexOfAll ofAll, IndexAlongDim alongDim) {
        BoundArgument dim = call.named("dim");
        boolean keepDim = keepDim(call);
        return dim.isPresent()
                ? alongDim.apply(call.self(), mask(call), dim.dim(), keepDim)
                : ofAll.apply(call.self(), mask(call));
    }

    private static void addStatistics(OpRegistry registry) {
        registry.one(
                "masked.var", call -> Masked.var(call.self(), mask(call), dims(call), correction(call), keepDim(call)));
        registry.one(
                "masked.std", call -> Masked.std(call.self(), mask(call), dims(call), correction(call), keepDim(call)));
        registry.one(
                "masked.norm",
                call -> Masked.norm(call.self(), mask(call), call.at(1, "ord").real(2), dims(call), keepDim(call)));
        registry.one("masked.median", call -> Masked.median(call.self(), mask(call), dim(call), keepDim(call)));
    }

    private static double correction(OpCall call) {
        return call.named("unbiased").bool(true) ? 1 : 0;
    }

    private static int dim(OpCall call) {
        return call.at(1, "dim").dim();
    }

    private interface AlongDim {
        Tensor apply(Tensor input, Tensor mask, int dim);
    }

    private static void alongDim(OpRegistry registry, String name, AlongDim op) {
        registry.one("masked." + name, call -> op.apply(call.self(), mask(call), dim(call)));
    }

    private static void addAlongDim(OpRegistry registry) {
        alongDim(registry, "cumsum", Masked::cumsum);
        alongDim(registry, "cumprod", Masked::cumprod);
        alongDim(registry, "softmax", Masked::softmax);
        alongDim(registry, "log_softmax", Masked::logSoftmax);
        alongDim(registry, "softmin", Masked::softmin);
        registry.one(
                "masked.normalize",
                call -> Masked.normalize(
                        call.self(),
                        mask(call),
                        call.at(1, "ord").real(2),
                        call.at(2, "dim").dim(),
                        call.named("eps").real(1e-12)));
        registry.one(
                "masked.logaddexp",
                call -> Masked.logaddexp(
                        call.self(),
                        call.other(),
                        call.named("input_mask").tensorOrNull(),
                        call.named("other_mask").tensorOrNull()));
    }
}
