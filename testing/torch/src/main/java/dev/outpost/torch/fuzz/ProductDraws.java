package dev.outpost.torch.fuzz;

import dev.outpost.types.DType;
import dev.outpost.types.Shape;

/** Draws products of matrices and vectors. */
final class ProductDraws {
    private ProductDraws() {}

    static void addTo(DrawTable table) {
        addMatrices(table);
        addVectors(table);
        addFused(table);
    }

    /** Draws a matrix with as many rows as another one has columns, of the same dtype. */
    private static Known fitting(Draw draw, Known self) {
        return draw.of(self.dtype(), Shape.of(self.size(-1), draw.size()));
    }

    private static void addMatrices(DrawTable table) {
        table.rows(
                draw -> {
                    Known self = draw.ofRank(2, 2);
                    return Draft.of(self, fitting(draw, self));
                },
                "mm");
        table.row("matmul", draw -> {
            Known self = draw.ofRank(1, 3);
            return Draft.of(self, draw.coin() ? fitting(draw, self) : draw.of(self.dtype(), Shape.of(self.size(-1))));
        });
        table.row("bmm", draw -> {
            Known self = draw.ofRank(3, 3);
            return Draft.of(self, draw.of(self.dtype(), Shape.of(self.size(0), self.size(2), draw.size())));
        });
        table.row("mv", draw -> {
            Known self = draw.ofRank(2, 2);
            return Draft.of(self, draw.of(self.dtype(), Shape.of(self.size(1))));
        });
        // Without gradients, because PyTorch does not notice that it has overwritten values that they need.
        table.row("kron", draw -> Draft.of(draw.plain(), draw.plain()));
        table.row("tensordot", draw -> {
            Known self = draw.ofRank(1, 3);
            return Draft.of(self, fitting(draw, self)).with("dims", 1);
        });
    }

    private static void addVectors(DrawTable table) {
        table.rows(
                draw -> {
                    Known self = draw.ofRank(1, 1);
                    return Draft.of(self, draw.like(self));
                },
                "dot",
                "vdot");
        table.row("outer", draw -> Draft.of(draw.ofRank(1, 1), draw.ofRank(1, 1)));
        table.row("inner", draw -> {
            Known self = draw.ofRank(1, 2);
            return Draft.of(self, draw.of(self.dtype(), Shape.of(self.size(-1))));
        });
        table.row("linalg.vecdot", draw -> {
            Known self = draw.floatingOfRank(1, 3);
            return Draft.of(self, draw.like(self));
        });
        table.row("linalg.cross", draw -> {
            Known self = draw.any(
                    known -> known.rank() > 0 && known.size(-1) == 3, () -> draw.make(draw.dtype(), Shape.of(2, 3)));
            return Draft.of(self, draw.like(self));
        });
        // Few rows of finite numbers, because otherwise PyTorch computes the distances by a matrix product.
        table.row("cdist", draw -> {
            Known self = draw.makeBetween(
                    draw.oneOf(DType.FLOAT32, DType.FLOAT64), Shape.of(draw.between(1, 4), 3), -2, 2, draw.coin());
            return Draft.of(self, draw.makeBetween(self.dtype(), Shape.of(draw.between(1, 4), 3), -2, 2, draw.coin()));
        });
    }

    private static void addFused(DrawTable table) {
        table.rows(
                draw -> {
                    Known first = draw.ofRank(2, 2);
                    Known second = fitting(draw, first);
                    Known self = draw.of(first.dtype(), draw.partOf(Shape.of(first.size(0), second.size(1))));
                    return factors(draw, self, Draft.of(self, first, second));
                },
                "addmm");
        table.row("addmv", draw -> {
            Known first = draw.ofRank(2, 2);
            Known self = draw.of(first.dtype(), draw.partOf(Shape.of(first.size(0))));
            return factors(draw, self, Draft.of(self, first, draw.of(first.dtype(), Shape.of(first.size(1)))));
        });
        table.row("addr", draw -> {
            Known first = draw.ofRank(1, 1);
            Known second = draw.of(first.dtype(), Shape.of(draw.size()));
            Known self = draw.of(first.dtype(), draw.partOf(Shape.of(first.size(0), second.size(0))));
            return factors(draw, self, Draft.of(self, first, second));
        });
        table.row("baddbmm", draw -> {
            Known first = draw.ofRank(3, 3);
            Known second = draw.of(first.dtype(), Shape.of(first.size(0), first.size(2), draw.size()));
            Known self = draw.of(first.dtype(), draw.partOf(Shape.of(first.size(0), first.size(1), second.size(2))));
            return factors(draw, self, Draft.of(self, first, second));
        });
    }

    /** Draws a factor of 0 only if no operand is infinite; with 0, neither side reads the operand. */
    private static Draft factors(Draw draw, Known self, Draft draft) {
        return draw.coin()
                ? draft
                : draft.with("beta", self.requiresGrad() ? 2 : draw.factor(self))
                        .with("alpha", draw.oneOf(1, 2, 3));
    }
}
