package dev.outpost.internal.gradients;

import static dev.outpost.internal.gradients.Gradient.Saves.INPUTS;
import static dev.outpost.internal.gradients.Gradient.Saves.INPUTS_AND_OUTPUTS;
import static dev.outpost.internal.gradients.Gradient.Saves.SELECTORS;
import static dev.outpost.internal.gradients.Gradients.zerosLike;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.States;
import dev.outpost.internal.gradients.FoldGradients.OtherFactors;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.internal.ops.Numerics;
import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.Sort;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.stream.LongStream;

/** The rules of ops that move elements. Backward writes the positions that forward reads, and reads those that it writes. */
public final class IndexGradients {
    private IndexGradients() {}

    public static Tensor[] stridedWrite(StridedWrite op, OpNode node, Tensor g) {
        Layout written = op.layout();
        return new Tensor[] {
            node.needs(0) ? Dispatch.apply(op, g, zeros(g, written.shape())) : null,
            node.needs(1) ? States.view(States.ownStorage(g), written) : null
        };
    }

    /** The rule of gather: a {@code scatter_add}, in float32 if the gradient has 16 bits. */
    public static Tensor gather(Gather op, OpNode node, Tensor g) {
        Scatter back = new Scatter(Scatter.Fn.ADD, op.axis(), op.names());
        Tensor wide = Numerics.wide(g);
        Tensor sums = Dispatch.apply(back, zeros(wide, node.inputShape(0)), node.input(1), wide);
        return sums.to(g.dtype());
    }

    public static Tensor select(IndexSelect op, OpNode node, Tensor g) {
        IndexWrite back = new IndexWrite(Scatter.Fn.ADD, op.axis(), op.names());
        return Dispatch.apply(back, zeros(g, node.inputShape(0)), node.input(1), g);
    }

    public static Tensor sort(Sort op, OpNode node, Tensor g) {
        Scatter back = new Scatter(Scatter.Fn.SET, op.axis());
        return Dispatch.apply(back, zerosLike(g), Gradient.output(node, 1), g);
    }

    public static Tensor[] concat(Concat op, OpNode node, Tensor g) {
        Tensor[] parts = new Tensor[node.inputCount()];
        long start = 0;
        for (int input = 0; input < parts.length; input++) {
            long length = node.inputShape(input).size(op.axis());
            parts[input] = node.needs(input) ? g.narrow(op.axis(), start, length) : null;
            start += length;
        }
        return parts;
    }

    public static Gradient of(Scatter op) {
        return write(op.fn(), node -> new ScatterPlaces(op.axis(), node));
    }

    public static Gradient of(IndexWrite op) {
        return write(op.fn(), node -> new SlicePlaces(op.axis(), node));
    }

    /** The positions that an index addresses in the base. The two families of writes differ only in this. */
    private interface Places {
        int axis();

        /** Returns the index of each element of the written part. */
        Tensor indices();

        /** Reads the elements at the positions, in the index's shape. */
        Tensor read(Tensor base);

        Tensor write(Scatter.Fn fn, Tensor base, Tensor source);

        /** Returns the part of the source that is written. */
        Tensor written(Tensor source);

        /** Returns the shape of the elements that {@link #read} returns. */
        Shape shape();

        /** Returns the source's gradient from the gradient of its written part. */
        Tensor unwritten(Tensor gradient);
    }

    @FunctionalInterface
    private interface PlacesOf {
        Places of(OpNode node);
    }

    @FunctionalInterface
    private interface WriteRule {
        Tensor[] apply(OpNode node, Places places, Tensor g);
    }

    private static Gradient write(Scatter.Fn fn, PlacesOf places) {
        return switch (fn) {
            case SET -> write(SELECTORS, places, IndexGradients::set);
            case ADD -> write(SELECTORS, places, IndexGradients::add);
            case MUL -> write(INPUTS, places, IndexGradients::multiply);
            case MAX, MIN -> write(INPUTS_AND_OUTPUTS, places, IndexGradients::extreme);
        };
    }

    private static Gradient write(Gradient.Saves saves, PlacesOf places, WriteRule rule) {
        return Gradient.ofOutput(saves, (node, g) -> rule.apply(node, places.of(node), g));
    }

    /** As in PyTorch, every source for one position gets the gradient of that position, although only the last write was kept. */
    private static Tensor[] set(OpNode node, Places places, Tensor g) {
        return gradients(
                node.needs(0) ? places.write(Scatter.Fn.SET, g, zeros(g, places.shape())) : null,
                node.needs(2) ? places.unwritten(places.read(g)) : null);
    }

    private static Tensor[] add(OpNode node, Places places, Tensor g) {
        return gradients(g, node.needs(2) ? places.unwritten(places.read(g)) : null);
    }

    private static Tensor[] multiply(OpNode node, Places places, Tensor g) {
        Tensor base = (Tensor) node.input(0);
        Tensor source = places.written((Tensor) node.input(2));
        if (GradMode.isEnabled()) {
            return multiplyAgain(node, base, source, places, g);
        }
        return gradients(
                node.needs(0) ? ofBase(base, source, places, g) : null,
                node.needs(2) ? places.unwritten(ofSource(base, source, places, g)) : null);
    }

    /** Like {@link #multiply}, but without quotients, because these are not differentiable where a factor is 0. */
    private static Tensor[] multiplyAgain(OpNode node, Tensor base, Tensor source, Places places, Tensor g) {
        return gradients(
                node.needs(0) ? g.mul(places.write(Scatter.Fn.MUL, base.onesLike(), source)) : null,
                node.needs(2)
                        ? places.unwritten(places.read(g.mul(base))
                                .mul(OtherFactors.atSamePlace(places.axis(), places.indices(), source)))
                        : null);
    }

    /** Computes the product without the base as the whole product divided by the base. Where the base is 0, uses 1 in its place. */
    private static Tensor ofBase(Tensor base, Tensor source, Places places, Tensor g) {
        Tensor divisor = FoldGradients.onesAt(base.eq(0), base);
        return g.mul(places.write(Scatter.Fn.MUL, divisor, source)).div(divisor);
    }

    /**
     * Like {@link #ofBase}, but for the sources. A source of 0 is replaced by 1 only if it is the only zero source
     * for its position.
     */
    private static Tensor ofSource(Tensor base, Tensor source, Places places, Tensor g) {
        Tensor isZero = source.eq(0);
        Tensor zeros = places.write(
                Scatter.Fn.ADD, Creation.full(States.home(base), base.shape(), DType.INT64, 0), count(isZero));
        Tensor isOnlyZero = isZero.logicalAnd(places.read(zeros).eq(1));
        Tensor others = places.write(Scatter.Fn.MUL, base, FoldGradients.onesAt(isOnlyZero, source));
        Tensor product = places.write(Scatter.Fn.MUL, base, source);
        Tensor quotient = places.read(g.mul(product)).div(FoldGradients.onesAt(isZero, source));
        return places.read(g.mul(others)).where(isOnlyZero, quotient);
    }

    /**
     * Divides the gradient of an extreme among the base and the sources that equal it. The others get 0 times the
     * gradient.
     */
    private static Tensor[] extreme(OpNode node, Places places, Tensor g) {
        Tensor source = places.written((Tensor) node.input(2));
        Tensor result = Gradient.output(node, 0);
        Tensor baseChosen = result.eq((Tensor) node.input(0));
        Tensor sourceChosen = places.read(result).eq(source);
        Tensor ties = places.write(Scatter.Fn.ADD, count(baseChosen), count(sourceChosen));
        Tensor share = g.div(ties);
        return gradients(
                node.needs(0) ? share.mul(baseChosen.to(share.dtype())) : null,
                node.needs(2) ? places.unwritten(places.read(share).mul(sourceChosen.to(share.dtype()))) : null);
    }

    private static Tensor[] gradients(Tensor base, Tensor source) {
        return new Tensor[] {base, null, source};
    }

    private static Tensor count(Tensor condition) {
        return condition.to(DType.INT64);
    }

    private static Tensor zeros(Tensor like, Shape shape) {
        return Creation.full(States.home(like), shape, like.dtype(), 0);
    }

    private record ScatterPlaces(int axis, Tensor index, Shape sourceShape) implements Places {
        ScatterPlaces(int axis, OpNode node) {
            this(axis, (Tensor) node.input(1), node.inputShape(2));
        }

        @Override
        public Tensor indices() {
            return index;
        }

        @Override
        public Tensor read(Tensor base) {
            return Dispatch.apply(new Gather(axis), base, index);
        }

        @Override
        public Tensor write(Scatter.Fn fn, Tensor base, Tensor source) {
            return Dispatch.apply(new Scatter(fn, axis), base, index, source);
        }

        @Override
        public Tensor written(Tensor source) {
            return States.view(source, corner(States.layout(source)));
        }

        @Override
        public Shape shape() {
            return index.shape();
        }

        @Override
        public Tensor unwritten(Tensor gradient) {
            if (sourceShape.equals(index.shape())) {
                return gradient;
            }
            Layout corner = corner(Layout.contiguous(sourceShape));
            return Dispatch.apply(new StridedWrite(corner), zeros(gradient, sourceShape), gradient);
        }

        private Layout corner(Layout source) {
            return Layout.of(index.shape(), source.strides(), source.offset());
        }
    }

    private record SlicePlaces(int axis, Tensor index, Shape sourceShape) implements Places {
        SlicePlaces(int axis, OpNode node) {
            this(axis, (Tensor) node.input(1), node.inputShape(2));
        }

        @Override
        public Tensor indices() {
            long[] sizes =
                    LongStream.generate(() -> 1).limit(sourceShape.rank()).toArray();
            sizes[axis] = index.numel();
            return index.reshape(sizes).expand(sourceShape.toArray());
        }

        @Override
        public Tensor read(Tensor base) {
            return Dispatch.apply(new IndexSelect(axis), base, index);
        }

        @Override
        public Tensor write(Scatter.Fn fn, Tensor base, Tensor source) {
            return Dispatch.apply(new IndexWrite(fn, axis), base, index, source);
        }

        @Override
        public Tensor written(Tensor source) {
            return source;
        }

        @Override
        public Shape shape() {
            return sourceShape;
        }

        @Override
        public Tensor unwritten(Tensor gradient) {
            return gradient;
        }
    }
}
