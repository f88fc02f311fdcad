package dev.outpost.internal.gradients;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.protocol.op.Axes;
import java.util.ArrayList;
import java.util.List;

/**
 * Products of all elements but one, without a division: they can be differentiated any number of times, wherever elements
 * are 0. Each takes a few operations per doubling of a distance.
 */
public final class OtherFactors {
    private OtherFactors() {}

    /** For each element the product of the others along the dimensions together. */
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

    /** For each element the product of those before it. */
    private static Tensor productsBefore(Tensor x, int axis) {
        long size = x.size(axis);
        if (size == 0) {
            return x;
        }
        Tensor one = x.narrow(axis, 0, 1).onesLike();
        return Tensors.cat(List.of(one, x.narrow(axis, 0, size - 1)), axis).cumprod(axis);
    }

    /**
     * The gradient of running products: an element is in all from its own on, each time with those before it. With S(k) = g(k) +
     * x(k + 1) S(k + 1), the sum over them is the product of those before it times S(k); two terms of such a recurrence are
     * one of twice the distance.
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
     * For each source the product of the others that are written to the same place.
     *
     * @param positions where each is written, of the sources' shape; equal numbers for equal places
     */
    public static Tensor atSamePlace(int axis, Tensor positions, Tensor sources) {
        Tensor order = positions.argsort(axis, false);
        Tensor at = positions.gather(axis, order);
        Tensor sorted = sources.gather(axis, order);
        Tensor before = productsBefore(axis, at, sorted);
        Tensor after = productsBefore(axis, at.flip(axis), sorted.flip(axis)).flip(axis);
        return sources.zerosLike().scatter(axis, order, before.mul(after));
    }

    /** As {@link #productsBefore(Tensor, int)}, among neighbours at the same place. */
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
