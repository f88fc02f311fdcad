package dev.outpost.vocabulary;

import dev.outpost.Tensor;
import dev.outpost.ops.DeviationAndMean;
import dev.outpost.ops.QuantileOps;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.ops.VarianceAndMean;
import dev.outpost.types.DType;
import java.util.List;

/** Reductions, statistics and cumulative ops. */
final class ReductionTable {
    private ReductionTable() {}

    static void addTo(OpRegistry registry) {
        registry.one("prod", ReductionTable::prod);
        addExtremes(registry);
        addStatistics(registry);
        addCumulative(registry);
        addNorms(registry);
        addDifferences(registry);
        addQuantiles(registry);
    }

    static boolean keepDim(OpCall call, int place) {
        return call.at(place, "keepdim").bool(false);
    }

    /** PyTorch's overload without a dimension has a dtype, and the typed method with a dtype has dimensions. */
    private static Tensor prod(OpCall call) {
        int[] dims = call.at(1, "dim").dims();
        boolean keepDim = keepDim(call, 2);
        DType dtype = call.dtype(null);
        return dtype == null ? call.self().prod(dims, keepDim) : call.self().prod(dims, keepDim, dtype);
    }

    private static Tensor cast(OpCall call) {
        Tensor self = call.self();
        return self.to(call.dtype(self.dtype()));
    }

    private static void addExtremes(OpRegistry registry) {
        registry.many("max", call -> extreme(call, Tensor::max, Tensor::max, Tensor::maximum));
        registry.many("min", call -> extreme(call, Tensor::min, Tensor::min, Tensor::minimum));
    }

    private interface AlongDim<R> {
        R apply(Tensor self, int dim, boolean keepDim);
    }

    private interface OfAll {
        Tensor apply(Tensor self);
    }

    private interface OfTwo {
        Tensor apply(Tensor self, Tensor other);
    }

    /** Distinguishes three ops that have one name in PyTorch. */
    private static List<Tensor> extreme(OpCall call, OfAll ofAll, AlongDim<ValuesAndIndices> alongDim, OfTwo ofTwo) {
        Tensor self = call.self();
        BoundArgument second = call.at(1, "dim");
        if (!second.isPresent()) {
            return List.of(ofAll.apply(self));
        }
        return second.isTensor()
                ? List.of(ofTwo.apply(self, second.tensor()))
                : alongDim.apply(self, second.dim(), keepDim(call, 2)).tensors();
    }

    private static void addStatistics(OpRegistry registry) {
        registry.one("var", call -> call.self().var(statisticDims(call), correction(call), keepDim(call)));
        registry.one("std", call -> call.self().std(statisticDims(call), correction(call), keepDim(call)));
        registry.many("std_mean", call -> {
            DeviationAndMean result = call.self().stdMean(statisticDims(call), correction(call), keepDim(call));
            return List.of(result.deviation(), result.mean());
        });
        registry.many("var_mean", call -> {
            VarianceAndMean result = call.self().varMean(statisticDims(call), correction(call), keepDim(call));
            return List.of(result.variance(), result.mean());
        });
    }

    private static void addNorms(OpRegistry registry) {
        registry.one("norm", ReductionTable::norm);
        registry.one(
                "linalg.vector_norm",
                call -> cast(call)
                        .vectorNorm(call.at(1, "ord").real(2), call.at(2, "dim").dims(), keepDim(call, 3)));
        registry.one("cdist", call -> {
            call.at(3, "compute_mode");
            return call.self().cdist(call.other(), call.at(2, "p").real(2));
        });
    }

    private static Tensor norm(OpCall call) {
        BoundArgument order = call.at(1, "p");
        int[] dims = call.at(2, "dim").dims();
        if (order.isText()) {
            boolean isMatrix = dims.length == 2 || order.text("").equals("nuc");
            return isMatrix
                    ? OrthogonalTable.matrixNorm(
                            call.self(), order, dims.length == 2 ? dims : new int[] {-2, -1}, keepDim(call, 3))
                    : call.self().norm(2, dims, keepDim(call, 3));
        }
        return call.self().norm(order.real(2), dims, keepDim(call, 3));
    }

    private static void addDifferences(OpRegistry registry) {
        registry.many("gradient", ReductionTable::gradient);
    }

    private static List<Tensor> gradient(OpCall call) {
        BoundArgument spacing = call.named("spacing");
        int edgeOrder = call.named("edge_order").dim(1);
        int[] dims = call.named("dim").dims();
        if (spacing.isList() && spacing.items().stream().allMatch(BoundArgument::isTensor)) {
            return call.self().gradient(spacing.tensors(), edgeOrder, dims);
        }
        double[] distances = spacing.isList()
                ? spacing.items().stream().mapToDouble(item -> item.real(1)).toArray()
                : new double[] {spacing.real(1)};
        return spacing.isList()
                ? call.self().gradient(distances, edgeOrder, dims)
                : call.self().gradient(distances[0], edgeOrder, dims);
    }

    private static void addQuantiles(OpRegistry registry) {
        registry.one("quantile", call -> quantile(call, Tensor::quantile));
        registry.one("nanquantile", call -> quantile(call, Tensor::nanquantile));
    }

    private interface Quantile {
        Tensor apply(Tensor self, Tensor q, int dim, boolean keepDim, QuantileOps.Interpolation interpolation);
    }

    private static Tensor quantile(OpCall call, Quantile op) {
        BoundArgument q = call.at(1, "q");
        BoundArgument dim = call.at(2, "dim");
        Tensor shares = q.isNumber() ? call.self().newFull(q.number()) : q.tensor();
        Tensor self = dim.isPresent() ? call.self() : call.self().flatten();
        return op.apply(
                self,
                shares,
                dim.dim(0),
                keepDim(call, 3),
                call.named("interpolation").choice(QuantileOps.Interpolation.class, QuantileOps.Interpolation.LINEAR));
    }

    private static boolean keepDim(OpCall call) {
        return call.named("keepdim").bool(false);
    }

    /** {@code var(x, False)} is {@code var(x, unbiased=False)}. */
    private static int[] statisticDims(OpCall call) {
        BoundArgument second = call.at(1, "dim");
        return second.isBool() ? new int[0] : second.dims();
    }

    private static double correction(OpCall call) {
        BoundArgument second = call.at(1, "dim");
        boolean isUnbiased =
                second.isBool() ? second.bool(true) : call.named("unbiased").bool(true);
        return call.named("correction").real(isUnbiased ? 1 : 0);
    }

    private static void addCumulative(OpRegistry registry) {
        registry.one("cumsum", call -> call.self().cumsum(call.at(1, "dim").dim(), accumulated(call)));
        registry.one("cumprod", call -> call.self().cumprod(call.at(1, "dim").dim(), accumulated(call)));
    }

    private static DType accumulated(OpCall call) {
        DType dtype = call.self().dtype();
        return call.dtype(dtype.isFloating() ? dtype : DType.INT64);
    }
}
