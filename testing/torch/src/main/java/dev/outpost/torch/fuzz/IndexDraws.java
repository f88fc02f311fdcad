package dev.outpost.torch.fuzz;

import dev.outpost.torch.Argument;
import dev.outpost.torch.Argument.EllipsisArgument;
import dev.outpost.torch.Argument.IntegerArgument;
import dev.outpost.torch.Argument.ListArgument;
import dev.outpost.torch.Argument.SliceArgument;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Draws reads of elements at indices and masks, and copies with other elements there. */
final class IndexDraws {
    private IndexDraws() {}

    static void addTo(DrawTable table) {
        addReads(table);
        addWrittenCopies(table);
    }

    private static void addReads(DrawTable table) {
        table.row("__getitem__", draw -> {
            Known self = draw.ofRank(1, 4);
            return Draft.of(self, brackets(draw, self));
        });
        table.row("gather", draw -> {
            Known self = draw.ofRank(1, 3);
            int dim = draw.random().nextInt(self.rank());
            return Draft.of(self, dim, within(draw, self, dim));
        });
        table.row("take_along_dim", draw -> {
            Known self = draw.ofRank(1, 3);
            int dim = draw.random().nextInt(self.rank());
            return Draft.of(self, draw.plainIndices(with(self.shape(), dim, draw.size()), self.size(dim)), dim);
        });
        table.row("index_select", draw -> {
            Known self = draw.ofRank(1, 3);
            int dim = draw.random().nextInt(self.rank());
            return Draft.of(self, dim, draw.plainIndices(Shape.of(draw.size()), self.size(dim)));
        });
        table.row("take", draw -> {
            Known self = draw.any();
            return Draft.of(
                    self, draw.plainIndices(draw.shape(0, 2), self.shape().elements()));
        });
        table.row("masked_select", draw -> {
            Known self = draw.any();
            return Draft.of(self, draw.mask(draw.partOf(self.shape())));
        });
    }

    private static Shape with(Shape shape, int dim, long size) {
        long[] sizes = shape.toArray();
        sizes[dim] = size;
        return Shape.of(sizes);
    }

    /** Draws indices into a dimension, for at most as many positions in the others. */
    static Known within(Draw draw, Known self, int dim) {
        long[] sizes = self.shape().toArray();
        for (int other = 0; other < sizes.length; other++) {
            sizes[other] = other == dim ? draw.size() : sizes[other] - (sizes[other] > 1 && draw.once(4) ? 1 : 0);
        }
        return draw.plainIndices(Shape.of(sizes), self.size(dim));
    }

    /** Draws the indices between the brackets: one to three parts. */
    static Argument brackets(Draw draw, Known self) {
        List<Argument> steps = steps(draw, self);
        return steps.size() == 1 ? steps.getFirst() : new ListArgument(steps);
    }

    /** Draws the parts of an index. Adds an ellipsis to integers, because a list of only integers would be an index tensor. */
    private static List<Argument> steps(Draw draw, Known self) {
        List<Argument> steps = new ArrayList<>();
        int dim = 0;
        int max = draw.between(1, self.rank());
        while (dim < max) {
            if (draw.once(10)) {
                steps.add(Draft.argument(null));
            } else if (draw.once(20)) {
                steps.add(new EllipsisArgument());
                break;
            } else {
                Step step = step(draw, self, dim);
                steps.add(step.argument());
                // PyTorch counts a mask as one dimension for the indices after it.
                dim = step.width() > 1 ? max : dim + 1;
            }
        }
        return steps.size() > 1 && steps.stream().allMatch(IntegerArgument.class::isInstance)
                ? Stream.concat(steps.stream(), Stream.of(new EllipsisArgument()))
                        .toList()
                : steps;
    }

    /** @param width the number of dimensions that it indexes */
    private record Step(Argument argument, int width) {}

    private static Step step(Draw draw, Known self, int dim) {
        long size = self.size(dim);
        return switch (draw.between(0, 7)) {
            case 0, 1 -> new Step(Draft.argument(draw.place(size)), 1);
            case 2, 3 -> new Step(slice(draw, size), 1);
            case 4 -> new Step(Draft.argument(draw.indices(draw.shape(1, 2), size)), 1);
            case 5 -> new Step(Draft.argument(draw.indices(Shape.of(), size)), 1);
            case 6 -> new Step(Draft.argument(draw.mask(Shape.of(size))), 1);
            default ->
                dim + 1 < self.rank()
                        ? new Step(Draft.argument(draw.mask(Shape.of(size, self.size(dim + 1)))), 2)
                        : new Step(Draft.argument(draw.indices(Shape.of(2), size)), 1);
        };
    }

    private static SliceArgument slice(Draw draw, long size) {
        return new SliceArgument(
                bound(draw, size),
                bound(draw, size),
                draw.coin() ? OptionalLong.empty() : OptionalLong.of(draw.between(1, 2)));
    }

    private static OptionalLong bound(Draw draw, long size) {
        return draw.coin() ? OptionalLong.empty() : OptionalLong.of(draw.place(size));
    }

    private static void addWrittenCopies(DrawTable table) {
        table.row("scatter", draw -> scatterOnce(draw, draw.ofRank(1, 3)));
        table.row("scatter_add", draw -> scatterSource(draw, draw.ofRank(1, 3)));
        table.row("scatter_reduce", IndexDraws::scatterReduce);
        table.row("index_add", draw -> {
            Known self = draw.ofRank(1, 3);
            return slices(draw, self).with("alpha", draw.factor(self));
        });
        table.row("index_copy", draw -> slices(draw, draw.ofRank(1, 3)));
        table.row("index_fill", draw -> fill(draw, draw.ofRank(1, 3)));
        table.row("put", draw -> put(draw, draw.any()));
        table.row("masked_scatter", draw -> maskedScatter(draw, draw.any()));
        table.row("select_scatter", draw -> {
            Known self = draw.ofRank(1, 3);
            int dim = draw.random().nextInt(self.rank());
            return Draft.of(self, draw.of(self.dtype(), without(self.shape(), dim)), dim, draw.place(self.size(dim)));
        });
        table.row("slice_scatter", draw -> {
            Known self = draw.ofRank(1, 3);
            int dim = draw.random().nextInt(self.rank());
            long length = self.size(dim) == 0 ? 0 : draw.random().nextLong(1, self.size(dim) + 1);
            return Draft.of(self, draw.of(self.dtype(), with(self.shape(), dim, length)), dim, 0, length);
        });
        table.row("diagonal_scatter", draw -> {
            Known self = draw.ofRank(2, 2);
            return Draft.of(self, draw.of(self.dtype(), Shape.of(Math.min(self.size(0), self.size(1)))));
        });
    }

    /** Draws a reduction at indices; extremes without gradients, because PyTorch's gradients of other elements are NaN if one is NaN. */
    private static Draft scatterReduce(Draw draw) {
        String reduce = draw.oneOf("sum", "prod", "mean", "amax", "amin");
        boolean isExtreme = reduce.startsWith("am");
        Known self = isExtreme ? draw.plain(1, 3) : draw.ofRank(1, 3);
        int dim = draw.random().nextInt(self.rank());
        Known index = within(draw, self, dim);
        Known source = isExtreme ? draw.make(self.dtype(), index.shape(), false) : draw.of(self.dtype(), index.shape());
        return Draft.of(self, dim, index, source, reduce).with("include_self", draw.coin());
    }

    private static Shape without(Shape shape, int dim) {
        long[] sizes = new long[shape.rank() - 1];
        for (int other = 0; other < sizes.length; other++) {
            sizes[other] = shape.size(other < dim ? other : other + 1);
        }
        return Shape.of(sizes);
    }

    /** Draws different positions, because the order of two writes to one position is undefined. */
    static Draft scatterOnce(Draw draw, Known self) {
        int dim = draw.random().nextInt(self.rank());
        Known index = draw.literal(DistinctIndices.along(draw.random(), self.shape(), dim), false);
        return Draft.of(self, dim, index, draw.coin() ? draw.number() : draw.like(self));
    }

    static Draft scatterSource(Draw draw, Known self) {
        int dim = draw.random().nextInt(self.rank());
        Known index = within(draw, self, dim);
        return Draft.of(self, dim, index, draw.of(self.dtype(), index.shape()));
    }

    static Draft slices(Draw draw, Known self) {
        int dim = draw.random().nextInt(self.rank());
        long size = self.size(dim);
        Known index = draw.literal(DistinctIndices.some(draw.random(), size), false);
        return Draft.of(self, dim, index, draw.of(self.dtype(), with(self.shape(), dim, index.size(0))));
    }

    static Draft fill(Draw draw, Known self) {
        int dim = draw.random().nextInt(self.rank());
        return Draft.of(self, dim, draw.longIndices(Shape.of(draw.size()), self.size(dim)), draw.number());
    }

    static Draft put(Draw draw, Known self) {
        Known index =
                draw.literal(DistinctIndices.some(draw.random(), self.shape().elements()), false);
        return Draft.of(self, index, draw.of(self.dtype(), index.shape()), draw.coin());
    }

    /** Makes a new mask and source: PyTorch reads and writes in turns, so they must not share memory with the target. */
    static Draft maskedScatter(Draw draw, Known self) {
        return Draft.of(self, draw.make(DType.BOOL, self.shape()), draw.make(self.dtype(), self.shape()));
    }
}
