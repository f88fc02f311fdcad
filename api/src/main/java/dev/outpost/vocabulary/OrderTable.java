package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.ops.HistogramOps.Histogram;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Ops about order, rank and repetition. */
final class OrderTable {
    private OrderTable() {}

    static void addTo(OpRegistry registry) {
        registry.many("sort", OrderTable::sort);
        addSearch(registry);
        registry.many("histogramdd", OrderTable::histogramOfRows);
    }

    /** Every sort is stable, so the argument {@code stable} makes no difference. */
    private static List<Tensor> sort(OpCall call) {
        call.named("stable");
        return call.self()
                .sort(call.at(1, "dim").dim(-1), call.at(2, "descending").bool(false))
                .tensors();
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
        registry.typed("isin", "elements test_elements invert");
    }

    private static List<Tensor> histogramOfRows(OpCall call) {
        BoundArgument bins = call.at(1, "bins");
        Tensor weights = call.named("weight").tensorOrNull();
        boolean isDensity = call.named("density").bool(false);
        if (bins.isList() && bins.items().stream().anyMatch(BoundArgument::isTensor)) {
            return parts(call.self().histogramdd(bins.tensors(), weights, isDensity));
        }
        long[] counts = bins.isList()
                ? bins.sizes()
                : new long[Math.toIntExact(call.self().size(-1))];
        if (!bins.isList()) {
            Arrays.fill(counts, bins.integer());
        }
        return parts(call.self().histogramdd(counts, call.named("range").realsOrNull(), weights, isDensity));
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
