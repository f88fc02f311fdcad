package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.ops.Masked;

/** Folds of the elements that a mask chooses (torch.masked). */
final class MaskedTable {
    private MaskedTable() {}

    static void addTo(OpRegistry table) {
        addFolds(table);
        addStatistics(table);
        addAlongDim(table);
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

    private static void fold(OpRegistry table, String name, Fold op) {
        table.one("masked." + name, call -> op.apply(call.self(), mask(call), dims(call), keepDim(call)));
    }

    private static void addFolds(OpRegistry table) {
        fold(table, "sum", Masked::sum);
        fold(table, "prod", Masked::prod);
        fold(table, "amax", Masked::amax);
        fold(table, "amin", Masked::amin);
        fold(table, "mean", Masked::mean);
        fold(table, "logsumexp", Masked::logsumexp);
        table.one("masked.argmax", call -> index(call, Masked::argmax, Masked::argmax));
        table.one("masked.argmin", call -> index(call, Masked::argmin, Masked::argmin));
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

    private static void addStatistics(OpRegistry table) {
        table.one(
                "masked.var", call -> Masked.var(call.self(), mask(call), dims(call), correction(call), keepDim(call)));
        table.one(
                "masked.std", call -> Masked.std(call.self(), mask(call), dims(call), correction(call), keepDim(call)));
        table.one(
                "masked.norm",
                call -> Masked.norm(call.self(), mask(call), call.at(1, "ord").real(2), dims(call), keepDim(call)));
        table.one("masked.median", call -> Masked.median(call.self(), mask(call), dim(call), keepDim(call)));
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

    private static void alongDim(OpRegistry table, String name, AlongDim op) {
        table.one("masked." + name, call -> op.apply(call.self(), mask(call), dim(call)));
    }

    private static void addAlongDim(OpRegistry table) {
        alongDim(table, "cumsum", Masked::cumsum);
        alongDim(table, "cumprod", Masked::cumprod);
        alongDim(table, "softmax", Masked::softmax);
        alongDim(table, "log_softmax", Masked::logSoftmax);
        alongDim(table, "softmin", Masked::softmin);
        table.one(
                "masked.normalize",
                call -> Masked.normalize(
                        call.self(),
                        mask(call),
                        call.at(1, "ord").real(2),
                        call.at(2, "dim").dim(),
                        call.named("eps").real(1e-12)));
        table.one(
                "masked.logaddexp",
                call -> Masked.logaddexp(
                        call.self(),
                        call.other(),
                        call.named("input_mask").tensorOrNull(),
                        call.named("other_mask").tensorOrNull()));
    }
}
