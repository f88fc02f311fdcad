package dev.outpost.torch.fuzz;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Draws rearrangements, joins, and tensors without operands. */
final class ShapeDraws {
    private ShapeDraws() {}

    static void addTo(DrawTable table) {
        addCopies(table);
        addRearrangements(table);
        addJoins(table);
        addCreation(table);
    }

    private static void addCopies(DrawTable table) {
        table.rows(draw -> Draft.of(draw.any()), "clone", "contiguous", "ravel");
        table.row("reshape", draw -> {
            Known self = draw.any();
            return Draft.of(self, ViewDraws.regrouped(draw, self.shape()));
        });
        table.row("flatten", draw -> {
            Known self = draw.any();
            return draw.coin() ? Draft.of(self) : Draft.of(self, draw.dim(self), draw.dim(self));
        });
    }

    private static void addRearrangements(DrawTable table) {
        table.row("flip", draw -> {
            Known self = draw.any();
            return Draft.of(self, draw.dims(self));
        });
        table.row("fliplr", draw -> Draft.of(draw.ofRank(2, 3)));
        table.row("flipud", draw -> Draft.of(draw.ofRank(1, 3)));
        table.row("rot90", draw -> Draft.of(draw.ofRank(2, 3), draw.between(-2, 5)));
        table.row("roll", draw -> {
            Known self = draw.any();
            return draw.coin()
                    ? Draft.of(self, draw.between(-3, 3))
                    : Draft.of(self, draw.between(-3, 3), draw.dim(self));
        });
        table.rows(
                draw -> {
                    Known self = draw.ofRank(0, 2);
                    long[] counts = new long[self.rank() + (draw.once(3) ? 1 : 0)];
                    Arrays.setAll(counts, dim -> draw.between(1, 2));
                    return Draft.of(self, counts);
                },
                "repeat",
                "tile");
        table.row("repeat_interleave", draw -> {
            Known self = draw.any();
            return draw.coin()
                    ? Draft.of(self, draw.between(0, 2))
                    : Draft.of(self, draw.between(0, 2), draw.dim(self));
        });
        table.rows(draw -> Draft.of(draw.ofRank(2, 3), draw.between(-2, 2)), "tril", "triu");
        table.rows(draw -> Draft.of(draw.ofRank(1, 2), draw.between(-2, 2)), "diag", "diagflat");
        table.row("diag_embed", draw -> Draft.of(draw.ofRank(1, 2), draw.between(-1, 1)));
        // Without gradients, because PyTorch's is wrong for a matrix with more rows than columns.
        table.row("trace", draw -> Draft.of(draw.plain(2, 2)));
        table.row("constant_pad_nd", draw -> {
            Known self = draw.ofRank(1, 3);
            return Draft.of(self, new int[] {draw.between(-1, 2), draw.between(0, 2)}, draw.factor(self));
        });
    }

    private static List<Known> alike(Draw draw, Known self) {
        List<Known> all = new ArrayList<>(List.of(self));
        for (int more = draw.between(0, 2); more > 0; more--) {
            all.add(draw.once(4) ? draw.of(draw.dtype(), self.shape()) : draw.like(self));
        }
        return all;
    }

    private static void addJoins(DrawTable table) {
        table.rows(
                draw -> {
                    Known self = draw.ofRankAndNotEmpty(1, 3);
                    return Draft.of(alike(draw, self), draw.dim(self));
                },
                "cat");
        table.row("stack", draw -> {
            Known self = draw.ofRank(0, 2);
            return Draft.of(alike(draw, self), draw.dim(self.rank() + 1));
        });
        table.rows(draw -> Draft.of(alike(draw, draw.ofRank(0, 2))), "hstack", "vstack", "dstack", "column_stack");
        table.row("broadcast_tensors", draw -> {
            Known self = draw.any();
            return Draft.of(self, draw.partner(self)).parts();
        });
    }

    private static void addCreation(DrawTable table) {
        table.rows(
                draw -> {
                    Draft draft = Draft.of(draw.any());
                    return draw.coin() ? draft : draft.with("dtype", draw.dtype());
                },
                "zeros_like",
                "ones_like");
        table.row("full_like", draw -> Draft.of(draw.any(), draw.number()));
        table.row("arange", draw -> Draft.of(draw.between(0, 6)).with("dtype", draw.oneOf(Draw.DTYPES.subList(0, 9))));
        table.row(
                "linspace",
                draw -> Draft.of(draw.real(-2, 2), draw.real(-2, 2), draw.between(0, 5))
                        .with("dtype", draw.oneOf(Draw.FLOATING)));
        table.row(
                "eye", draw -> Draft.of(draw.between(0, 4), draw.between(0, 4)).with("dtype", draw.dtype()));
    }
}
