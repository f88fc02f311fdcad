package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.ops.HistogramOps.Histogram;
import dev.outpost.ops.UniqueResult;
import dev.outpost.ops.ValuesAndIndices;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Ops about order, rank and repetition. */
final class OrderTable {
    private OrderTable() {}

    static void addTo(OpRegistry registry) {
        addSorts(registry);
        addRanks(registry);
        addRepetition(registry);
        addSearch(registry);
        addHistograms(registry);
    }

    private static void addSorts(OpRegistry registry) {
        registry.pair("sort", OrderTable::sort);
        registry.pair(
                "topk",
                call -> call.self()
                        .topk(
                                call.at(1, "k").integer(),
                                call.at(2, "dim").dim(-1),
                                call.at(3, "largest").bool(true),
                                call.at(4, "sorted").bool(true)));
    }

    /** Every sort is stable, so the argument {@code stable} makes no difference. */
    private static ValuesAndIndices sort(OpCall call) {
        call.named("stable");
        return call.self()
                .sort(call.at(1, "dim").dim(-1), call.at(2, "descending").bool(false));
    }

    private static void addRanks(OpRegistry registry) {
        registry.pair(
                "kthvalue",
                call -> call.self()
                        .kthvalue(
                                call.at(1, "k").integer(), call.at(2, "dim").dim(-1), ReductionTable.keepDim(call, 3)));
        registry.pair("mode", call -> call.self().mode(call.at(1, "dim").dim(-1), ReductionTable.keepDim(call, 2)));
        registry.many("median", call -> median(call, Tensor::median, Tensor::median));
        registry.many("nanmedian", call -> median(call, Tensor::nanmedian, Tensor::nanmedian));
    }

    private interface MedianAlongDim {
        ValuesAndIndices apply(Tensor self, int dim, boolean keepDim);
    }

    private interface MedianOfAll {
        Tensor apply(Tensor self);
    }

    private static List<Tensor> median(OpCall call, MedianOfAll ofAll, MedianAlongDim alongDim) {
        BoundArgument dim = call.at(1, "dim");
        boolean keepDim = ReductionTable.keepDim(call, 2);
        return dim.isPresent()
                ? alongDim.apply(call.self(), dim.dim(), keepDim).tensors()
                : List.of(ofAll.apply(call.self()));
    }

    private static void addRepetition(OpRegistry registry) {
        registry.many("unique", call -> {
            boolean sorted = call.at(1, "sorted").bool(true);
            boolean inverse = call.at(2, "return_inverse").bool(false);
            boolean counts = call.at(3, "return_counts").bool(false);
            BoundArgument dim = call.at(4, "dim");
            return parts(
                    dim.isPresent()
                            ? call.self().unique(sorted, inverse, counts, dim.dim())
                            : call.self().unique(sorted, inverse, counts));
        });
        registry.many("unique_consecutive", call -> {
            boolean inverse = call.at(1, "return_inverse").bool(false);
            boolean counts = call.at(2, "return_counts").bool(false);
            BoundArgument dim = call.at(3, "dim");
            return parts(
                    dim.isPresent()
                            ? call.self().uniqueConsecutive(inverse, counts, dim.dim())
                            : call.self().uniqueConsecutive(inverse, counts));
        });
    }

    private static List<Tensor> parts(UniqueResult result) {
        return Stream.of(result.values(), result.inverse(), result.counts())
                .filter(Objects::nonNull)
                .toList();
    }

    private static void addSearch(OpRegistry registry) {
        registry.one(
                "searchsorted",
                call -> indices(
                        call, call.self().searchsorted(call.at(1, "values").tensor(), right(call))));
        registry.one(
                "bucketize",
                call -> indices(
                        call, call.self().bucketize(call.at(1, "boundaries").tensor(), right(call))));
        registry.one(
                "isin",
                call -> call.self().isin(call.other(), call.named("invert").bool(false)));
    }

    private static void addHistograms(OpRegistry registry) {
        registry.many("histogram", call -> parts(histogram(call)));
        registry.many("histogramdd", call -> parts(histogramOfRows(call)));
    }

    private static Histogram histogram(OpCall call) {
        BoundArgument bins = call.at(1, "bins");
        Tensor weights = call.named("weight").tensorOrNull();
        boolean isDensity = call.named("density").bool(false);
        return bins.isTensor()
                ? call.self().histogram(bins.tensor(), weights, isDensity)
                : call.self().histogram(bins.integer(100), range(call), weights, isDensity);
    }

    private static Histogram histogramOfRows(OpCall call) {
        BoundArgument bins = call.at(1, "bins");
        Tensor weights = call.named("weight").tensorOrNull();
        boolean isDensity = call.named("density").bool(false);
        if (bins.isList() && bins.items().stream().anyMatch(BoundArgument::isTensor)) {
            return call.self().histogramdd(bins.tensors(), weights, isDensity);
        }
        long[] counts = bins.isList()
                ? bins.sizes()
                : new long[Math.toIntExact(call.self().size(-1))];
        if (!bins.isList()) {
            Arrays.fill(counts, bins.integer());
        }
        return call.self().histogramdd(counts, range(call), weights, isDensity);
    }

    /** Returns the lower and upper bound of each dimension, one dimension after the other, or null. */
    private static double @Nullable [] range(OpCall call) {
        BoundArgument range = call.named("range");
        return range.isPresent()
                ? range.items().stream().mapToDouble(item -> item.real(0)).toArray()
                : null;
    }

    private static List<Tensor> parts(Histogram histogram) {
        return Stream.concat(Stream.of(histogram.counts()), histogram.edges().stream())
                .toList();
    }

    private static boolean right(OpCall call) {
        return call.named("right").bool(false);
    }

    private static Tensor indices(OpCall call, Tensor indices) {
        return call.named("out_int32").bool(false) ? indices.int32() : indices;
    }
}
