package dev.outpost.torch.fuzz;

import dev.outpost.types.Shape;

/** Draws ops that write into their first tensor, and so into all tensors that share its elements. */
final class WriteDraws {
    private WriteDraws() {}

    static void addTo(DrawTable table) {
        addFunctions(table);
        addArithmetic(table);
        addValues(table);
        addIndexed(table);
    }

    private static void addFunctions(DrawTable table) {
        table.rows(
                draw -> Draft.of(draw.target()),
                "neg_",
                "abs_",
                "sign_",
                "ceil_",
                "floor_",
                "trunc_",
                "round_",
                "square_",
                "relu_",
                "nan_to_num_",
                "zero_");
        // Without gradients: PyTorch passes gradients to the overwritten elements.
        table.row("logical_not_", draw -> Draft.of(draw.plainTarget()));
        table.rows(
                draw -> Draft.of(draw.floatingTarget()),
                "sqrt_",
                "rsqrt_",
                "reciprocal_",
                "exp_",
                "expm1_",
                "log_",
                "log1p_",
                "sin_",
                "cos_",
                "tanh_",
                "sigmoid_");
    }

    private static Draft pair(Draw draw) {
        Known self = draw.target();
        return Draft.of(self, draw.once(3) ? draw.number() : draw.source(self));
    }

    private static void addArithmetic(DrawTable table) {
        table.rows(
                draw -> {
                    Known self = draw.target();
                    Draft draft = Draft.of(self, draw.source(self));
                    return draw.coin() ? draft.with("alpha", draw.number()) : draft;
                },
                "add_",
                "sub_");
        table.rows(WriteDraws::pair, "mul_", "floor_divide_", "remainder_", "pow_");
        table.row(
                "div_",
                draw -> draw.coin() ? pair(draw) : pair(draw).with("rounding_mode", draw.oneOf("trunc", "floor")));
        table.rows(
                draw -> {
                    Known self = draw.target();
                    Draft draft = Draft.of(self, draw.source(self), draw.source(self));
                    return draw.coin() ? draft.with("value", draw.number()) : draft;
                },
                "addcmul_",
                "addcdiv_");
        table.row("lerp_", draw -> {
            Known self = draw.floatingTarget();
            return Draft.of(self, draw.source(self), draw.coin() ? draw.number() : draw.source(self));
        });
        table.row("clamp_", draw -> PointwiseDraws.clamp(draw, draw.target()));
        table.rows(draw -> Draft.of(draw.target(), draw.number()), "clamp_min_", "clamp_max_");
    }

    private static void addValues(DrawTable table) {
        table.row("copy_", draw -> {
            Known self = draw.target();
            return Draft.of(self, draw.source(self));
        });
        table.row("fill_", draw -> {
            Known self = draw.target();
            return Draft.of(self, draw.once(3) ? draw.of(self.dtype(), Shape.of()) : draw.number());
        });
        table.row("masked_fill_", draw -> {
            Known self = draw.target();
            return Draft.of(self, draw.mask(draw.partOf(self.shape())), draw.number());
        });
        table.row("__setitem__", draw -> {
            Known self = draw.target(1, 4);
            Object value =
                    draw.coin() ? draw.number() : draw.of(draw.once(3) ? draw.dtype() : self.dtype(), Shape.of());
            return Draft.of(self, IndexDraws.brackets(draw, self), value);
        });
    }

    private static void addIndexed(DrawTable table) {
        table.row("scatter_", draw -> IndexDraws.scatterOnce(draw, draw.target(1, 3)));
        table.row("scatter_add_", draw -> IndexDraws.scatterSource(draw, draw.target(1, 3)));
        table.row("index_add_", draw -> IndexDraws.slices(draw, draw.target(1, 3)));
        table.row("index_copy_", draw -> IndexDraws.slices(draw, draw.target(1, 3)));
        table.row("index_fill_", draw -> IndexDraws.fill(draw, draw.target(1, 3)));
        table.row("put_", draw -> IndexDraws.put(draw, draw.target(0, 4)));
        table.row("masked_scatter_", draw -> IndexDraws.maskedScatter(draw, draw.target(0, 4)));
    }
}
