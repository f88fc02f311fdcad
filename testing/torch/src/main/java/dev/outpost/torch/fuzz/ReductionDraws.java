package dev.outpost.torch.fuzz;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;

/** Draws folds, statistics and orders. */
final class ReductionDraws {
    private ReductionDraws() {}

    static void addTo(DrawTable table) {
        addFolds(table);
        addExtremes(table);
        addStatistics(table);
        addRunning(table);
        addOrders(table);
    }

    /** Draws reductions of all elements, of one dimension, or of some dimensions. */
    private static Draft fold(Draw draw, Known self) {
        return switch (draw.between(0, 2)) {
            case 0 -> Draft.of(self);
            case 1 -> Draft.of(self, draw.dim(self)).with("keepdim", draw.coin());
            default -> Draft.of(self, draw.dims(self)).with("keepdim", draw.coin());
        };
    }

    private static Draft typedFold(Draw draw) {
        Draft draft = fold(draw, draw.any());
        return draw.once(4) ? draft.with("dtype", draw.dtype()) : draft;
    }

    private static void addFolds(DrawTable table) {
        table.rows(ReductionDraws::typedFold, "sum", "mean");
        table.rows(draw -> fold(draw, draw.any()), "amax", "amin", "all", "any", "nansum");
        table.row("nanmean", draw -> fold(draw, draw.floating()));
        table.row("logsumexp", draw -> {
            Known self = draw.floating();
            return Draft.of(self, draw.dims(self)).with("keepdim", draw.coin());
        });
        table.row("prod", draw -> {
            Known self = draw.any();
            Draft draft = draw.coin()
                    ? Draft.of(self)
                    : Draft.of(self, draw.dim(self)).with("keepdim", draw.coin());
            return draw.once(4) ? draft.with("dtype", draw.dtype()) : draft;
        });
        table.row("count_nonzero", draw -> {
            Known self = draw.any();
            return draw.coin() ? Draft.of(self) : Draft.of(self, draw.dims(self));
        });
    }

    private static void addExtremes(DrawTable table) {
        table.rows(draw -> extreme(draw, draw.any()), "max", "min");
        // Without gradients, like all ops that choose among equal elements, because the choice is undefined.
        table.rows(draw -> extreme(draw, draw.plainAndNotEmpty()), "median", "nanmedian");
        table.rows(
                draw -> {
                    Known self = draw.any();
                    return draw.coin()
                            ? Draft.of(self)
                            : Draft.of(self, draw.dim(self)).with("keepdim", draw.coin());
                },
                "argmax",
                "argmin");
        table.row("aminmax", draw -> {
            Known self = draw.any();
            Draft draft = Draft.of(self).parts();
            return draw.coin() ? draft : draft.with("dim", draw.dim(self)).with("keepdim", draw.coin());
        });
    }

    private static Draft extreme(Draw draw, Known self) {
        return draw.coin()
                ? Draft.of(self)
                : Draft.of(self, draw.dim(self)).with("keepdim", draw.coin()).parts();
    }

    private static void addStatistics(DrawTable table) {
        table.rows(draw -> statistic(draw, draw.once(6) ? draw.any() : draw.floating()), "var", "std");
        // Without gradients: PyTorch passes zeros, and so NaN, back through the unused part.
        table.rows(
                draw -> statistic(draw, draw.make(draw.oneOf(Draw.FLOATING), draw.shape(0, 3), false))
                        .parts(),
                "var_mean",
                "std_mean");
        table.row("linalg.vector_norm", draw -> {
            Known self = draw.once(6) ? draw.any() : draw.floating();
            Draft draft = Draft.of(self, draw.oneOf(order(draw, self), 1.0, 2.0, 3.0, Double.POSITIVE_INFINITY));
            return draw.coin() ? draft : draft.and(draw.dims(self)).with("keepdim", draw.coin());
        });
        table.row("dist", draw -> {
            Known self = draw.floating();
            return Draft.of(
                    self,
                    draw.make(self.dtype(), self.shape(), false),
                    draw.oneOf(order(draw, self), 1.0, 2.0, Double.POSITIVE_INFINITY));
        });
    }

    /**
     * Draws the order of a norm, and orders 0 and -1 only without gradients: for order 0, PyTorch returns no gradient and Outpost zeros;
     * for a negative order, PyTorch's gradients are NaN if an element is 0.
     */
    private static double order(Draw draw, Known self) {
        return self.requiresGrad() ? 1.5 : draw.oneOf(0.0, -1.0);
    }

    private static Draft statistic(Draw draw, Known self) {
        Draft draft =
                draw.coin() ? Draft.of(self) : Draft.of(self, draw.dims(self)).with("keepdim", draw.coin());
        return draw.coin() ? draft : draft.with("correction", draw.between(0, 1));
    }

    private static Draft along(Draw draw, Known self) {
        return Draft.of(self, draw.dim(self));
    }

    private static void addRunning(DrawTable table) {
        table.rows(
                draw -> {
                    Draft draft = along(draw, draw.any());
                    return draw.once(4) ? draft.with("dtype", draw.oneOf(Draw.FLOATING)) : draft;
                },
                "cumsum",
                "cumprod");
        table.rows(draw -> along(draw, draw.any()).parts(), "cummax", "cummin");
        // Without gradients, because PyTorch's are NaN after an infinity.
        table.row("logcumsumexp", draw -> along(draw, draw.plainFloating()));
        table.rows(draw -> along(draw, draw.floating()), "softmax", "log_softmax", "nn.functional.softmin");
        table.row("diff", draw -> {
            Known self = draw.ofRank(1, 4);
            return draw.coin() ? Draft.of(self) : Draft.of(self, draw.between(0, 2), draw.dim(self));
        });
        table.rows(draw -> Draft.of(draw.ofRank(1, 3)), "trapezoid", "cumulative_trapezoid");
    }

    private static void addOrders(DrawTable table) {
        table.row("sort", draw -> {
            Known self = draw.any();
            return Draft.of(self)
                    .with("dim", draw.dim(self))
                    .with("descending", draw.coin())
                    .with("stable", true)
                    .parts();
        });
        table.row("argsort", draw -> {
            Known self = draw.any();
            return Draft.of(self, draw.dim(self), draw.coin());
        });
        table.row("msort", draw -> Draft.of(draw.plain(1, 3)));
        table.row("topk", draw -> {
            Known self = draw.plain();
            int dim = draw.dim(self.rank());
            return Draft.of(self, count(draw, self, dim), dim, draw.coin()).parts();
        });
        table.row("kthvalue", draw -> {
            Known self = draw.plain();
            int dim = draw.dim(self.rank());
            return Draft.of(self, Math.max(1, count(draw, self, dim)), dim, draw.coin())
                    .parts();
        });
        table.row("mode", draw -> {
            Known self = draw.plain();
            return Draft.of(self, draw.dim(self), draw.coin()).parts();
        });
        table.row("isin", draw -> {
            Known self = draw.any(known -> known.dtype() != DType.BOOL, () -> draw.make(DType.INT64, draw.shape(0, 3)));
            return Draft.of(self, draw.of(self.dtype(), Shape.of(draw.size())));
        });
        table.row("unique", draw -> Draft.of(draw.any()));
        table.row("unique_consecutive", draw -> Draft.of(draw.any()));
        table.row("nonzero", draw -> Draft.of(draw.any()));
        table.row("argwhere", draw -> Draft.of(draw.any()));
        table.row("bincount", draw -> Draft.of(draw.plainIndices(draw.shape(1, 1), 5)));
        table.row("quantile", draw -> {
            Known self = draw.any(
                    known -> known.dtype() == DType.FLOAT32 && known.shape().elements() > 0,
                    () -> draw.make(DType.FLOAT64, Shape.of(3, draw.between(1, 4))));
            return Draft.of(self, draw.oneOf(0.0, 0.25, 0.5, 0.9, 1.0), draw.dim(self));
        });
    }

    private static long count(Draw draw, Known self, int dim) {
        boolean isThere = dim >= -self.rank() && dim < self.rank();
        long size = isThere ? self.size(dim) : 1;
        return draw.random().nextLong(0, size + 1);
    }
}
