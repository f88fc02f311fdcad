package dev.outpost.torch.fuzz;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;

/** Draws layers without state, and losses. */
final class LayerDraws {
    private LayerDraws() {}

    static void addTo(DrawTable table) {
        addLayers(table);
        addWindows(table);
        addDistances(table);
        addLosses(table);
    }

    private static void addLayers(DrawTable table) {
        table.row("nn.functional.linear", draw -> {
            Known self = draw.floatingOfRank(1, 3);
            Known weight = draw.of(self.dtype(), Shape.of(draw.size(), self.size(-1)));
            Draft draft = Draft.of(self, weight);
            return draw.coin() ? draft : draft.and(draw.of(self.dtype(), Shape.of(weight.size(0))));
        });
        table.row("nn.functional.layer_norm", draw -> {
            Known self = draw.floatingOfRank(1, 3);
            Shape last = Shape.of(self.size(-1));
            Draft draft = Draft.of(self, last.toArray());
            return draw.coin() ? draft : draft.and(draw.of(self.dtype(), last)).and(draw.of(self.dtype(), last));
        });
        table.row("nn.functional.group_norm", draw -> {
            Known self = draw.any(
                    known -> known.isFloating()
                            && known.rank() == 3
                            && known.size(2) > 1
                            && known.shape().elements() > 0,
                    () -> draw.make(draw.oneOf(Draw.FLOATING), Shape.of(2, draw.between(1, 3), draw.between(2, 4))));
            Draft draft = Draft.of(self, draw.coin() ? 1 : self.size(1));
            Shape channels = Shape.of(self.size(1));
            return draw.coin()
                    ? draft
                    : draft.and(weights(draw, self, channels)).and(weights(draw, self, channels));
        });
        table.row("nn.functional.prelu", draw -> {
            Known self = draw.floatingOfRank(1, 3);
            return Draft.of(self, draw.of(self.dtype(), Shape.of(1)));
        });
        table.row("nn.functional.one_hot", draw -> Draft.of(draw.plainIndices(draw.shape(0, 2), 4), 4));
    }

    private static Known weights(Draw draw, Known self, Shape shape) {
        return draw.makeBetween(self.dtype(), shape, -2, 2, draw.coin());
    }

    private static Known image(Draw draw) {
        return draw.any(
                known -> known.isFloating()
                        && known.rank() == 4
                        && known.size(2) >= 2
                        && known.size(3) >= 2
                        && known.shape().elements() > 0,
                () -> draw.make(
                        draw.oneOf(Draw.FLOATING),
                        Shape.of(draw.between(1, 2), draw.between(1, 2), draw.between(2, 5), draw.between(2, 5))));
    }

    /**
     * Draws images; those with gradients have no NaN, because gradients show which of several NaNs in a window was chosen, and this is
     * undefined.
     */
    private static Known images(Draw draw) {
        Known self = image(draw);
        return self.requiresGrad() ? draw.makeBetween(self.dtype(), self.shape(), -1, 1, true) : self;
    }

    private static void addWindows(DrawTable table) {
        // The elements are finite: PyTorch adds the products in another order, so an infinity may become NaN.
        table.row("nn.functional.conv2d", draw -> {
            Known self = draw.makeBetween(
                    draw.oneOf(Draw.FLOATING),
                    Shape.of(draw.between(1, 2), draw.between(1, 2), draw.between(2, 5), draw.between(2, 5)),
                    -2,
                    2,
                    draw.coin());
            Known weight = weights(draw, self, Shape.of(draw.between(1, 2), self.size(1), 2, draw.between(1, 2)));
            Object bias = draw.coin() ? null : weights(draw, self, Shape.of(weight.size(0)));
            return Draft.of(self, weight, bias, draw.between(1, 2), draw.between(0, 1));
        });
        table.row("nn.functional.conv1d", draw -> {
            Known self = draw.makeBetween(
                    draw.oneOf(Draw.FLOATING), Shape.of(2, draw.between(1, 2), draw.between(2, 5)), -2, 2, draw.coin());
            Known weight = weights(draw, self, Shape.of(draw.between(1, 2), self.size(1), draw.between(1, 2)));
            Object bias = draw.coin() ? null : weights(draw, self, Shape.of(weight.size(0)));
            return Draft.of(self, weight, bias, draw.between(1, 2), draw.between(0, 1));
        });
        table.row(
                "nn.functional.max_pool2d", draw -> Draft.of(images(draw), 2, draw.between(1, 2), draw.between(0, 1)));
        table.row("nn.functional.avg_pool2d", draw -> Draft.of(image(draw), 2, draw.between(1, 2), draw.between(0, 1)));
    }

    private static void addDistances(DrawTable table) {
        table.row("nn.functional.normalize", draw -> {
            Known self = draw.floatingOfRank(1, 3);
            return Draft.of(self, draw.oneOf(1.0, 2.0), draw.dim(self));
        });
        table.row("nn.functional.cosine_similarity", draw -> {
            Known self = draw.floatingOfRank(1, 3);
            return Draft.of(self, draw.like(self), draw.dim(self));
        });
        table.row("nn.functional.pairwise_distance", draw -> {
            Known self = draw.floatingOfRank(1, 2);
            return Draft.of(self, draw.like(self));
        });
    }

    private static Draft reduced(Draw draw, Draft draft) {
        return draft.with("reduction", draw.oneOf("none", "mean", "sum"));
    }

    private static Draft distanceLoss(Draw draw) {
        Known self = draw.floating();
        return reduced(draw, Draft.of(self, draw.like(self)));
    }

    private static void addLosses(DrawTable table) {
        table.rows(
                LayerDraws::distanceLoss,
                "nn.functional.mse_loss",
                "nn.functional.l1_loss",
                "nn.functional.smooth_l1_loss",
                "nn.functional.huber_loss",
                "nn.functional.kl_div",
                "nn.functional.binary_cross_entropy_with_logits");
        // Without gradients, because PyTorch's are NaN if the exponential is infinite.
        table.row("nn.functional.soft_margin_loss", draw -> {
            Known self = draw.plainFloating();
            return reduced(draw, Draft.of(self, draw.make(self.dtype(), self.shape(), false)));
        });
        table.row("nn.functional.binary_cross_entropy", draw -> {
            Known self = draw.makeBetween(draw.oneOf(DType.FLOAT32, DType.FLOAT64), draw.shape(1, 2), 0.01, 0.99);
            return reduced(draw, Draft.of(self, draw.makeBetween(self.dtype(), self.shape(), 0, 1)));
        });
        table.row("nn.functional.cross_entropy", draw -> {
            Draft draft = classes(draw);
            return draw.once(3) ? draft.with("label_smoothing", 0.25) : draft;
        });
        table.row("nn.functional.nll_loss", LayerDraws::classes);
    }

    private static Draft classes(Draw draw) {
        Known self = draw.floatingOfRank(2, 2);
        return reduced(draw, Draft.of(self, draw.plainIndices(Shape.of(self.size(0)), self.size(1))));
    }
}
