package dev.outpost.torch.fuzz;

import dev.outpost.types.Shape;
import java.util.Arrays;

/** Draws views: tensors that share their elements with another one. */
final class ViewDraws {
    private ViewDraws() {}

    static void addTo(DrawTable table) {
        addShapes(table);
        addDimensions(table);
        addParts(table);
    }

    private static void addShapes(DrawTable table) {
        table.row("view", draw -> {
            Known self = draw.any();
            return Draft.of(self, regrouped(draw, self.shape()));
        });
        table.row("expand", draw -> {
            Known self = draw.any();
            return Draft.of(self, widened(draw, self.shape()));
        });
        table.row("unsqueeze", draw -> {
            Known self = draw.ofRank(0, 3);
            return Draft.of(self, draw.dim(self.rank() + 1));
        });
        table.row("squeeze", draw -> {
            Known self = draw.any();
            return draw.coin() ? Draft.of(self) : Draft.of(self, draw.dim(self));
        });
        table.row("unflatten", draw -> {
            Known self = draw.ofRank(1, 3);
            int dim = draw.random().nextInt(self.rank());
            return Draft.of(self, dim, regrouped(draw, Shape.of(self.size(dim))));
        });
        table.rows(draw -> Draft.of(draw.any()), "detach", "atleast_1d", "atleast_2d", "atleast_3d");
    }

    /** Draws a shape with the same number of elements: sizes are merged or split, and sometimes one is left out. */
    static long[] regrouped(Draw draw, Shape shape) {
        long elements = shape.elements();
        long[] sizes = shape.toArray();
        if (draw.coin() || elements == 0) {
            int cut = draw.random().nextInt(sizes.length + 1);
            long front = Arrays.stream(sizes, 0, cut).reduce(1, (a, b) -> a * b);
            long back = Arrays.stream(sizes, cut, sizes.length).reduce(1, (a, b) -> a * b);
            return draw.once(3) && elements > 0 ? new long[] {-1, back} : new long[] {front, back};
        }
        for (long divisor = 2; divisor <= 5; divisor++) {
            if (elements % divisor == 0 && draw.coin()) {
                return new long[] {elements / divisor, divisor};
            }
        }
        return draw.coin() ? new long[] {-1} : new long[] {elements};
    }

    static long[] widened(Draw draw, Shape shape) {
        int more = draw.once(3) ? 1 : 0;
        long[] sizes = new long[shape.rank() + more];
        for (int dim = 0; dim < sizes.length; dim++) {
            long size = dim < more ? draw.between(1, 3) : shape.size(dim - more);
            sizes[dim] = size == 1 ? draw.between(1, 3) : draw.once(5) && dim >= more ? -1 : size;
        }
        return sizes;
    }

    private static void addDimensions(DrawTable table) {
        table.row("permute", draw -> {
            Known self = draw.any();
            return Draft.of(self, draw.order(self));
        });
        table.row("transpose", draw -> {
            Known self = draw.any();
            return Draft.of(self, draw.dim(self), draw.dim(self));
        });
        table.row("t", draw -> Draft.of(draw.ofRank(0, 2)));
        table.row("mT", draw -> Draft.of(draw.ofRank(2, 4)));
        table.row("T", draw -> Draft.of(draw.ofRank(2, 2)));
        table.row("movedim", draw -> {
            Known self = draw.ofRank(1, 4);
            return Draft.of(self, draw.dim(self), draw.dim(self));
        });
    }

    private static void addParts(DrawTable table) {
        table.row("narrow", draw -> {
            Known self = draw.ofRank(1, 4);
            int dim = draw.random().nextInt(self.rank());
            long start = self.size(dim) == 0 ? 0 : draw.random().nextLong(self.size(dim));
            return Draft.of(self, dim, start, draw.random().nextLong(0, self.size(dim) - start + 1));
        });
        table.row("select", draw -> {
            Known self = draw.ofRank(1, 4);
            int dim = draw.random().nextInt(self.rank());
            return Draft.of(self, dim, draw.place(self.size(dim)));
        });
        table.row("slice", draw -> {
            Known self = draw.ofRank(1, 4);
            int dim = draw.random().nextInt(self.rank());
            return Draft.of(self, dim, draw.place(self.size(dim)), draw.place(self.size(dim)), draw.between(1, 3));
        });
        table.row("diagonal", draw -> {
            Known self = draw.ofRank(2, 4);
            return draw.coin() ? Draft.of(self) : Draft.of(self, draw.between(-2, 2), draw.dim(self), draw.dim(self));
        });
        table.row("unfold", draw -> {
            Known self = draw.ofRank(1, 3);
            int dim = draw.random().nextInt(self.rank());
            return Draft.of(self, dim, draw.between(1, 3), draw.between(1, 3));
        });
        table.rows(
                draw -> {
                    Known self = draw.ofRank(1, 3);
                    return Draft.of(self, draw.dim(self)).parts();
                },
                "unbind");
        table.row("split", draw -> {
            Known self = draw.ofRank(1, 3);
            return Draft.of(self, draw.between(1, 3), draw.dim(self)).parts();
        });
        table.row("chunk", draw -> {
            Known self = draw.ofRank(1, 3);
            return Draft.of(self, draw.between(1, 3), draw.dim(self)).parts();
        });
        table.row("tensor_split", draw -> {
            Known self = draw.ofRank(1, 3);
            Object where = draw.coin() ? draw.between(1, 3) : new int[] {1, draw.between(1, 3)};
            return Draft.of(self, where, draw.dim(self)).parts();
        });
    }
}
