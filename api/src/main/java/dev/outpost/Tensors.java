package dev.outpost;

import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.linalg.MatrixChain;
import dev.outpost.internal.ops.Combinations;
import dev.outpost.internal.ops.Concatenation;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Ops on several tensors in which all tensors have the same role.
 *
 * <p>All methods are thread-safe.
 */
public final class Tensors {
    /** The dimensions along which the first two grids vary. */
    public enum GridIndexing {
        /** The first tensor varies along dimension 0, as in matrix indexing. */
        IJ,
        /** The first tensor varies along dimension 1, as in plots. */
        XY
    }

    private Tensors() {}

    /**
     * Concatenates tensors along a dimension, in the dtype that all promote to. A vector without elements fits any shape.
     *
     * @throws OpException if the list is empty, or sizes differ in another dimension
     */
    public static Tensor cat(List<Tensor> tensors, int dim) {
        return Concatenation.cat("cat", tensors, dim);
    }

    /** Like {@link #cat(List, int)}, but along dimension 0. */
    public static Tensor cat(List<Tensor> tensors) {
        return cat(tensors, 0);
    }

    /**
     * Like {@link #cat(List, int)}, but along dimension 0.
     *
     * {@snippet file="OpExamplesTest.java" region="cat"}
     */
    public static Tensor cat(Tensor... tensors) {
        return cat(List.of(tensors), 0);
    }

    /** Same as {@link #cat(List, int)}. */
    public static Tensor concat(List<Tensor> tensors, int dim) {
        return Concatenation.cat("concat", tensors, dim);
    }

    /**
     * Concatenates tensors of one shape along a new dimension.
     *
     * @throws OpException if the list is empty, or the shapes differ
     */
    public static Tensor stack(List<Tensor> tensors, int dim) {
        return Concatenation.stack(tensors, dim);
    }

    /** Like {@link #stack(List, int)}, but along dimension 0. */
    public static Tensor stack(List<Tensor> tensors) {
        return stack(tensors, 0);
    }

    /**
     * Like {@link #stack(List, int)}, but along dimension 0.
     *
     * {@snippet file="OpExamplesTest.java" region="stack"}
     */
    public static Tensor stack(Tensor... tensors) {
        return stack(List.of(tensors), 0);
    }

    /** Concatenates tensors along dimension 1, or vectors along dimension 0. */
    public static Tensor hstack(Tensor... tensors) {
        List<Tensor> parts = map(Tensors::atleast1d, tensors);
        return Concatenation.cat(
                "hstack", parts, parts.isEmpty() || parts.get(0).dim() == 1 ? 0 : 1);
    }

    /** Concatenates tensors along dimension 0; vectors are rows. */
    public static Tensor vstack(Tensor... tensors) {
        return Concatenation.cat("vstack", map(Tensors::atleast2d, tensors), 0);
    }

    /** Concatenates tensors along dimension 2. */
    public static Tensor dstack(Tensor... tensors) {
        return Concatenation.cat("dstack", map(Tensors::atleast3d, tensors), 2);
    }

    /** Concatenates matrices along dimension 1; vectors are columns. */
    public static Tensor columnStack(Tensor... tensors) {
        List<Tensor> columns = map(tensor -> tensor.dim() < 2 ? tensor.reshape(tensor.numel(), 1) : tensor, tensors);
        return Concatenation.cat("column_stack", columns, 1);
    }

    /**
     * Takes elements of one tensor where a condition holds, and of the other tensor elsewhere; all three tensors
     * broadcast.
     */
    public static Tensor where(Tensor condition, Tensor values, Tensor others) {
        return Dispatch.where(condition, values, others);
    }

    /** Same as {@link #where(Tensor, Tensor, Tensor)}. */
    public static Tensor where(Tensor condition, Tensor values, Number other) {
        return Dispatch.where(condition, values, Operand.of(other));
    }

    /** Same as {@link #where(Tensor, Tensor, Tensor)}. */
    public static Tensor where(Tensor condition, Number value, Tensor others) {
        return Dispatch.where(condition, Operand.of(value), others);
    }

    /** Same as {@link #where(Tensor, Tensor, Tensor)}. */
    public static Tensor where(Tensor condition, Number value, Number other) {
        return Dispatch.where(condition, Operand.of(value), Operand.of(other));
    }

    /** Returns views of all tensors in the shape that they broadcast to. */
    public static List<Tensor> broadcastTensors(Tensor... tensors) {
        Shape shape = broadcastShapes(Arrays.stream(tensors).map(Tensor::shape).toArray(Shape[]::new));
        return map(tensor -> tensor.expand(shape), tensors);
    }

    /** Returns the shape that all shapes broadcast to. */
    public static Shape broadcastShapes(Shape... shapes) {
        Shape common = Shape.SCALAR;
        for (Shape shape : shapes) {
            common = Shape.broadcast("broadcast_shapes", common, shape);
        }
        return common;
    }

    /**
     * Expands vectors to grids, one for each vector, with the first vector along dimension 0 ({@link GridIndexing#IJ}).
     *
     * {@snippet file="OpExamplesTest.java" region="meshgrid"}
     */
    public static List<Tensor> meshgrid(Tensor... vectors) {
        return meshgrid(GridIndexing.IJ, vectors);
    }

    /** Expands vectors to grids, one for each vector. */
    public static List<Tensor> meshgrid(GridIndexing indexing, Tensor... vectors) {
        return Concatenation.meshgrid(indexing, vectors);
    }

    /** Builds a block-diagonal matrix; vectors and scalars are rows. */
    public static Tensor blockDiag(Tensor... matrices) {
        return Scope.tidy(() -> Concatenation.blockDiag(map(Tensors::atleast2d, matrices)));
    }

    /** Returns the product of two or more matrices in the cheapest order; the first and the last may be vectors. */
    public static Tensor multiDot(Tensor... matrices) {
        return Scope.tidy(() -> MatrixChain.product(matrices));
    }

    /** Returns the Cartesian product of the vectors: each row has one element of each vector. */
    public static Tensor cartesianProd(Tensor... vectors) {
        return Scope.tidy(() -> Concatenation.cartesianProd(vectors));
    }

    /** Returns all pairs of elements of a vector, in their order, as rows. */
    public static Tensor combinations(Tensor vector) {
        return combinations(vector, 2, false);
    }

    /** Returns all combinations of {@code count} elements of a vector, in their order, as rows. */
    public static Tensor combinations(Tensor vector, int count, boolean withReplacement) {
        return Scope.tidy(() -> Combinations.of(vector, count, withReplacement));
    }

    /** Returns a view with at least one dimension. */
    public static Tensor atleast1d(Tensor tensor) {
        return tensor.dim() == 0 ? tensor.view(1) : tensor;
    }

    /** Returns a view with at least two dimensions; a vector is a row. */
    public static Tensor atleast2d(Tensor tensor) {
        return tensor.dim() < 2 ? atleast1d(tensor).unsqueeze(0) : tensor;
    }

    /** Returns a view with at least three dimensions; a matrix lies in the first two. */
    public static Tensor atleast3d(Tensor tensor) {
        return tensor.dim() < 3 ? atleast2d(tensor).unsqueeze(-1) : tensor;
    }

    private static List<Tensor> map(UnaryOperator<Tensor> function, Tensor... tensors) {
        return Arrays.stream(tensors).map(function).toList();
    }
}
