package dev.outpost.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.internal.gradients.Slopes;
import dev.outpost.internal.ops.Differences;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Differences of neighbours, integrals and slopes of samples. */
public interface DifferenceOps {
    Tensor self();

    /** Returns the differences of neighbours in the last dimension. */
    default Tensor diff() {
        return diff(1, -1);
    }

    /**
     * Returns differences of neighbours, taken {@code order} times. For bool, elements are true where neighbours
     * differ.
     */
    default Tensor diff(int order, int dim) {
        return Differences.diff(self(), order, dim);
    }

    /**
     * Like {@link #diff(int, int)}, but first concatenates other tensors before and after this tensor. Either may be
     * null; order 0 ignores them.
     */
    default Tensor diff(int order, int dim, @Nullable Tensor before, @Nullable Tensor after) {
        return Scope.tidy(() -> order == 0
                ? diff(0, dim)
                : Differences.joined(before, self(), after, dim).diff(order, dim));
    }

    /** Returns the integral along a dimension by the trapezoidal rule, for samples at a constant distance. */
    default Tensor trapezoid(double distance, int dim) {
        return Scope.tidy(() -> Differences.trapezoid(self(), distance, dim));
    }

    /** Returns the integral along a dimension by the trapezoidal rule, for samples at given positions. */
    default Tensor trapezoid(Tensor positions, int dim) {
        return Scope.tidy(
                () -> Differences.trapezoids(self(), positions, dim).sum(dim).div(2));
    }

    /** Returns the running integral along a dimension by the trapezoidal rule, for samples at a constant distance. */
    default Tensor cumulativeTrapezoid(double distance, int dim) {
        return Scope.tidy(
                () -> Differences.trapezoids(self(), dim).mul(distance / 2).cumsum(dim));
    }

    /** Returns the running integral along a dimension by the trapezoidal rule, for samples at given positions. */
    default Tensor cumulativeTrapezoid(Tensor positions, int dim) {
        return Scope.tidy(
                () -> Differences.trapezoids(self(), positions, dim).cumsum(dim).div(2));
    }

    /**
     * Returns the slopes of samples along dimensions, one tensor for each dimension.
     *
     * @param spacing the distance of samples in each of the dimensions
     * @param edgeOrder 1 or 2: the slope at an end is the slope of a line (1) or of a parabola (2)
     * @param dims the dimensions; none means all
     */
    default List<Tensor> gradient(double[] spacing, int edgeOrder, int... dims) {
        return Scope.tidy(() -> Slopes.of(self(), spacing, edgeOrder, dims), gradients -> gradients);
    }

    /**
     * Like {@link #gradient(double[], int, int...)}, but with positions of the samples as a vector for each
     * dimension.
     */
    default List<Tensor> gradient(List<Tensor> places, int edgeOrder, int... dims) {
        return Scope.tidy(() -> Slopes.of(self(), places, edgeOrder, dims), gradients -> gradients);
    }

    /** Like {@link #gradient(double[], int, int...)}, but with the same distance in all dimensions. */
    default List<Tensor> gradient(double spacing, int edgeOrder, int... dims) {
        double[] same = new double[dims.length == 0 ? self().dim() : dims.length];
        Arrays.fill(same, spacing);
        return gradient(same, edgeOrder, dims);
    }
}
