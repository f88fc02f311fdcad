package dev.outpost.internal.gradients;

import static dev.outpost.internal.gradients.Gradient.Saves.INPUTS;
import static dev.outpost.internal.gradients.Gradient.Saves.INPUTS_AND_OUTPUTS;
import static dev.outpost.internal.gradients.Gradient.Saves.NOTHING;
import static dev.outpost.internal.gradients.Gradient.unary;
import static dev.outpost.internal.gradients.Gradients.masked;
import static dev.outpost.internal.gradients.Gradients.maskedOut;
import static dev.outpost.internal.gradients.Gradients.zerosLike;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.internal.graph.OpNode;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The rules of reductions and of cumulative ops. */
public final class FoldGradients {
    private FoldGradients() {}

    public static Gradient of(Reduce op) {
        return switch (op.fn()) {
            case SUM -> unary(NOTHING, (node, g) -> spread(op, node, g));
            case PROD -> unary(INPUTS, (node, g) -> product(op.axes(), node, spread(op, node, g)));
            case MAX, MIN -> unary(INPUTS_AND_OUTPUTS, (node, g) -> extreme(op, node, g));
        };
    }

    public static Gradient of(Cumulative op) {
        return switch (op.fn()) {
            case SUM -> unary(NOTHING, (node, g) -> sumOfLater(g, op.axis()));
            case PROD -> unary(INPUTS, (node, g) -> runningProduct(op.axis(), (Tensor) node.input(0), g));
            case MAX, MIN -> unary(INPUTS_AND_OUTPUTS, (node, g) -> runningExtreme(op.axis(), node, g));
        };
    }

    /** Expands a result along the reduced dimensions. */
    private static Tensor spread(Reduce op, OpNode node, Tensor result) {
        Layout layout = States.layout(result);
        for (int dim = 0; !op.keepDims() && dim < node.inputShape(0).rank(); dim++) {
            layout = op.axes().contains(dim) ? layout.unsqueeze(dim) : layout;
        }
        return States.view(result, layout.expand(node.inputShape(0)));
    }

    /**
     * Returns the gradient of a product over dimensions. As in PyTorch, if two elements are 0, all gradients are 0.
     * The quotient is not differentiable where an element is 0, so a gradient that is differentiated again uses
     * products instead.
     */
    private static Tensor product(Axes axes, OpNode node, Tensor g) {
        Tensor x = (Tensor) node.input(0);
        if (x.dim() == 0) {
            return g;
        }
        if (GradMode.isEnabled()) {
            return g.mul(OtherFactors.of(axes, x)).mul(nanAtOdd(x));
        }
        Tensor zero = x.eq(0);
        Tensor zeros = count(axes, zero);
        Tensor product = fold(Reduce.Fn.PROD, axes, onesAt(zero, x));
        Tensor others =
                Dispatch.where(zeros.eq(zero.to(DType.INT64)), product.div(onesAt(zero, x)), zeroTimesOthers(axes, x));
        Tensor gradient = g.mul(others);
        return axes.equals(Axes.all(x.dim())) ? maskedOut(zeros.gt(1), gradient) : gradient;
    }

    /**
     * Returns NaN at elements that are not finite, and 1 elsewhere. Returns 1 everywhere if any element is 0. This
     * follows PyTorch, which divides by the elements if none of them is 0, also in second derivatives. A division
     * computes the NaN, so that the gradient is NaN, too.
     */
    private static Tensor nanAtOdd(Tensor x) {
        Tensor hasZero = count(Axes.all(x.dim()), x.eq(0)).gt(0);
        Tensor odd = onesAt(Dispatch.binary(Binary.OR, x.isfinite(), hasZero), x);
        return odd.div(odd);
    }

    /** Returns 0, or NaN where another factor is not finite. */
    private static Tensor zeroTimesOthers(Axes axes, Tensor x) {
        Tensor isOdd = x.isfinite().logicalNot();
        Tensor areOthersOdd = count(axes, isOdd).ne(isOdd.to(DType.INT64));
        return zerosLike(x).maskedFill(areOthersOdd, Double.NaN);
    }

    private static Tensor count(Axes axes, Tensor condition) {
        return fold(Reduce.Fn.SUM, axes, condition.to(DType.INT64));
    }

    public static Tensor onesAt(Tensor condition, Tensor x) {
        return Dispatch.where(condition, Operand.of(x.dtype(), 1L), x);
    }

    private static Tensor fold(Reduce.Fn fn, Axes axes, Tensor x) {
        return Dispatch.apply(new Reduce(fn, axes, true), x);
    }

    /** Returns the elements that equal the extreme share its gradient. */
    private static Tensor extreme(Reduce op, OpNode node, Tensor g) {
        Tensor x = (Tensor) node.input(0);
        Tensor chosen = x.eq(spread(op, node, Gradient.output(node, 0))).to(g.dtype());
        Tensor ties = fold(Reduce.Fn.SUM, op.axes(), chosen);
        return spread(op, node, g).mul(chosen).div(ties);
    }

    private static Tensor running(Reduce.Fn fn, int axis, Tensor x) {
        return Dispatch.apply(new Cumulative(fn, axis), x);
    }

    private static Tensor sumOfLater(Tensor g, int axis) {
        return running(Reduce.Fn.SUM, axis, g.flip(axis)).flip(axis);
    }

    /**
     * {@code x[i]} is a factor of every running product from {@code i} on. After the first zero all products are zero. The gradient of
     * that zero uses the products with 1 in its place.
     */
    private static Tensor runningProduct(int axis, Tensor x, Tensor g) {
        if (GradMode.isEnabled()) {
            return OtherFactors.ofRunningProducts(axis, x, g).mul(nanAtOdd(x));
        }
        Tensor zero = x.eq(0);
        Tensor zeros = running(Reduce.Fn.SUM, axis, zero.to(DType.INT64));
        Tensor before = zeros.eq(0);
        Tensor first = Dispatch.binary(Binary.AND, zero, zeros.eq(1));
        Tensor filled = g.mul(running(Reduce.Fn.PROD, axis, onesAt(first, x)));
        Tensor beforeZero = sumOfLater(masked(before, filled), axis).div(onesAt(zero, x));
        Tensor atZero = masked(first, sumOfLater(filled, axis));
        return Dispatch.where(before, beforeZero, atZero);
    }

    /** Adds the gradient of each running extreme to the last element so far that equals it. */
    private static Tensor runningExtreme(int axis, OpNode node, Tensor g) {
        Tensor x = (Tensor) node.input(0);
        Tensor hit = Dispatch.binary(Binary.OR, x.eq(Gradient.output(node, 0)), x.isnan());
        Tensor index = running(Reduce.Fn.MAX, axis, masked(hit, indicesAlong(x, axis)));
        return Dispatch.apply(new Scatter(Scatter.Fn.ADD, axis), zerosLike(g), index, g);
    }

    private static Tensor indicesAlong(Tensor x, int axis) {
        long[] sizes = new long[x.dim()];
        Arrays.fill(sizes, 1);
        sizes[axis] = x.size(axis);
        Tensor indices = Creation.indices(States.home(x), sizes[axis]);
        return States.view(indices, Layout.contiguous(Shape.of(sizes)));
    }

    /**
     * Products of all elements except one, without a division. They can be differentiated any number of times, also where elements are
     * 0. Each takes a few operations per doubling of the distance.
     */
    public static final class OtherFactors {
        private OtherFactors() {}

        /** Returns for each element the product of all others along the dimensions. */
        public static Tensor of(Axes axes, Tensor x) {
            int[] order = reducedLast(axes, x.dim());
            Tensor moved = x.permute(order);
            int kept = x.dim() - axes.size();
            Tensor rows = kept == x.dim() ? moved.unsqueeze(-1) : moved.flatten(kept, -1);
            Tensor before = productsBefore(rows, kept);
            Tensor after = productsBefore(rows.flip(kept), kept).flip(kept);
            return before.mul(after).reshape(moved.shape().toArray()).permute(inverse(order));
        }

        private static int[] reducedLast(Axes axes, int rank) {
            List<Integer> order = new ArrayList<>();
            for (boolean isReduced : new boolean[] {false, true}) {
                for (int dim = 0; dim < rank; dim++) {
                    if (axes.contains(dim) == isReduced) {
                        order.add(dim);
                    }
                }
            }
            return order.stream().mapToInt(Integer::intValue).toArray();
        }

        private static int[] inverse(int[] order) {
            int[] inverse = new int[order.length];
            for (int place = 0; place < order.length; place++) {
                inverse[order[place]] = place;
            }
            return inverse;
        }

        /** Returns for each element the product of its predecessors. */
        private static Tensor productsBefore(Tensor x, int axis) {
            long size = x.size(axis);
            if (size == 0) {
                return x;
            }
            Tensor one = x.narrow(axis, 0, 1).onesLike();
            return Tensors.cat(List.of(one, x.narrow(axis, 0, size - 1)), axis).cumprod(axis);
        }

        /**
         * Returns the gradient of running products. Element k is a factor of all products from k on, each time
         * together with its predecessors. With S(k) = g(k) + x(k + 1) S(k + 1), its gradient is the product of its
         * predecessors times S(k). Each round combines two terms of this recurrence into one of twice the distance.
         */
        public static Tensor ofRunningProducts(int axis, Tensor x, Tensor g) {
            long size = x.size(axis);
            if (size <= 1) {
                return g;
            }
            Tensor sums = g;
            Tensor factors = x.narrow(axis, 1, size - 1);
            for (long distance = 1; distance < size; distance *= 2) {
                long left = size - distance;
                Tensor head = sums.narrow(axis, 0, left).add(factors.mul(sums.narrow(axis, distance, left)));
                sums = Tensors.cat(List.of(head, sums.narrow(axis, left, distance)), axis);
                long next = Math.max(0, left - distance);
                factors = factors.narrow(axis, 0, next).mul(factors.narrow(axis, left - next, next));
            }
            return productsBefore(x, axis).mul(sums);
        }

        /**
         * Returns for each source the product of the other sources that are written to the same position.
         *
         * @param positions the position that each source is written to, in the sources' shape
         */
        public static Tensor atSamePlace(int axis, Tensor positions, Tensor sources) {
            Tensor order = positions.argsort(axis, false);
            Tensor at = positions.gather(axis, order);
            Tensor sorted = sources.gather(axis, order);
            Tensor before = productsBefore(axis, at, sorted);
            Tensor after =
                    productsBefore(axis, at.flip(axis), sorted.flip(axis)).flip(axis);
            return sources.zerosLike().scatter(axis, order, before.mul(after));
        }

        /** Like {@link #productsBefore(Tensor, int)}, but multiplies only neighbours with the same position. */
        private static Tensor productsBefore(int axis, Tensor at, Tensor x) {
            long size = x.size(axis);
            if (size == 0) {
                return x;
            }
            Tensor one = x.narrow(axis, 0, 1).onesLike();
            Tensor isSame = at.narrow(axis, 1, size - 1).eq(at.narrow(axis, 0, size - 1));
            Tensor previous = x.narrow(axis, 0, size - 1);
            Tensor products = Tensors.cat(List.of(one, previous.where(isSame, previous.onesLike())), axis);
            for (long distance = 1; distance < size; distance *= 2) {
                long left = size - distance;
                Tensor isReached = at.narrow(axis, distance, left).eq(at.narrow(axis, 0, left));
                Tensor own = products.narrow(axis, distance, left);
                Tensor both = own.mul(products.narrow(axis, 0, left));
                products = Tensors.cat(List.of(products.narrow(axis, 0, distance), both.where(isReached, own)), axis);
            }
            return products;
        }
    }
}
