package dev.outpost;

import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.linalg.MatrixChain;
import dev.outpost.internal.ops.Combinations;
import dev.outpost.internal.ops.Concatenation;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** Ops on several tensors that belong to none of them more than to the others. */
public final class Tensors {
    /** Which of the first two grids varies along rows. */
    public enum GridIndexing {
        /** The first tensor along dimension 0, as matrices are indexed. */
        IJ,
        /** The first tensor along dimension 1, as planes are drawn. */
        XY
    }

    private Tensors() {}

    /** The tensors one after the other along a dimension, in the dtype that all promote to. */
    public static Tensor cat(List<Tensor> tensors, int dim) {
        return Concatenation.cat("cat", tensors, dim);
    }

    /** As {@link #cat(List, int)}, along dimension 0. */
    public static Tensor cat(List<Tensor> tensors) {
        return cat(tensors, 0);
    }

    /** As {@link #cat(List, int)}, along dimension 0. */
    public static Tensor cat(Tensor... tensors) {
        return cat(List.of(tensors), 0);
    }

    /** As {@link #cat(List, int)}. */
    public static Tensor concat(List<Tensor> tensors, int dim) {
        return Concatenation.cat("concat", tensors, dim);
    }

    /** Tensors of one shape one after the other along a new dimension. */
    public static Tensor stack(List<Tensor> tensors, int dim) {
        return Concatenation.stack(tensors, dim);
    }

    /** As {@link #stack(List, int)}, along dimension 0. */
    public static Tensor stack(List<Tensor> tensors) {
        return stack(tensors, 0);
    }

    /** As {@link #stack(List, int)}, along dimension 0. */
    public static Tensor stack(Tensor... tensors) {
        return stack(List.of(tensors), 0);
    }

    /** Side by side: along dimension 1, or 0 of vectors. */
    public static Tensor hstack(Tensor... tensors) {
        List<Tensor> parts = map(Tensors::atleast1d, tensors);
        return Concatenation.cat(
                "hstack", parts, parts.isEmpty() || parts.get(0).dim() == 1 ? 0 : 1);
    }

    /** One above the other; vectors are rows. */
    public static Tensor vstack(Tensor... tensors) {
        return Concatenation.cat("vstack", map(Tensors::atleast2d, tensors), 0);
    }

    /** One behind the other, along dimension 2. */
    public static Tensor dstack(Tensor... tensors) {
        return Concatenation.cat("dstack", map(Tensors::atleast3d, tensors), 2);
    }

    /** Vectors as columns, beside matrices. */
    public static Tensor columnStack(Tensor... tensors) {
        List<Tensor> columns = map(tensor -> tensor.dim() < 2 ? tensor.reshape(tensor.numel(), 1) : tensor, tensors);
        return Concatenation.cat("column_stack", columns, 1);
    }

    /** The elements of one tensor where a condition holds, those of the other elsewhere; all broadcast. */
    public static Tensor where(Tensor condition, Tensor values, Tensor others) {
        return Dispatch.where(condition, values, others);
    }

    /** As {@link #where(Tensor, Tensor, Tensor)}. */
    public static Tensor where(Tensor condition, Tensor values, Number other) {
        return Dispatch.where(condition, values, Operand.of(other));
    }

    /** As {@link #where(Tensor, Tensor, Tensor)}. */
    public static Tensor where(Tensor condition, Number value, Tensor others) {
        return Dispatch.where(condition, Operand.of(value), others);
    }

    /** As {@link #where(Tensor, Tensor, Tensor)}. */
    public static Tensor where(Tensor condition, Number value, Number other) {
        return Dispatch.where(condition, Operand.of(value), Operand.of(other));
    }

    /** Views of all tensors in the shape that they broadcast to. */
    public static List<Tensor> broadcastTensors(Tensor... tensors) {
        Shape shape = broadcastShapes(Arrays.stream(tensors).map(Tensor::shape).toArray(Shape[]::new));
        return map(tensor -> tensor.expand(shape), tensors);
    }

    /** The shape that all broadcast to. */
    public static Shape broadcastShapes(Shape... shapes) {
        Shape common = Shape.SCALAR;
        for (Shape shape : shapes) {
            common = Shape.broadcast("broadcast_shapes", common, shape);
        }
        return common;
    }

    /** Vectors repeated to grids, one for each: the first along dimension 0, and so on. */
    public static List<Tensor> meshgrid(Tensor... vectors) {
        return meshgrid(GridIndexing.IJ, vectors);
    }

    /** Vectors repeated to grids, one for each. */
    public static List<Tensor> meshgrid(GridIndexing indexing, Tensor... vectors) {
        return Concatenation.meshgrid(indexing, vectors);
    }

    /** Matrices along a diagonal, zeros elsewhere; vectors and scalars are rows. */
    public static Tensor blockDiag(Tensor... matrices) {
        return Scope.tidy(() -> Concatenation.blockDiag(map(Tensors::atleast2d, matrices)));
    }

    /** The product of two or more matrices in the cheapest order; the first and the last may be vectors. */
    public static Tensor multiDot(Tensor... matrices) {
        return Scope.tidy(() -> MatrixChain.product(matrices));
    }

    /** Every choice of one element of each vector, as rows. */
    public static Tensor cartesianProd(Tensor... vectors) {
        return Scope.tidy(() -> Concatenation.cartesianProd(vectors));
    }

    /** Every choice of two elements of a vector, in their order, as rows. */
    public static Tensor combinations(Tensor vector) {
        return combinations(vector, 2, false);
    }

    /** Every choice of {@code count} elements of a vector, in their order, as rows. */
    public static Tensor combinations(Tensor vector, int count, boolean withReplacement) {
        return Scope.tidy(() -> Combinations.of(vector, count, withReplacement));
    }

    /** A view with at least one dimension. */
    public static Tensor atleast1d(Tensor tensor) {
        return tensor.dim() == 0 ? tensor.view(1) : tensor;
    }

    /** A view with at least two dimensions; a vector is a row. */
    public static Tensor atleast2d(Tensor tensor) {
        return tensor.dim() < 2 ? atleast1d(tensor).unsqueeze(0) : tensor;
    }

    /** A view with at least three dimensions; a matrix lies in the first two. */
    public static Tensor atleast3d(Tensor tensor) {
        return tensor.dim() < 3 ? atleast2d(tensor).unsqueeze(-1) : tensor;
    }

    private static List<Tensor> map(UnaryOperator<Tensor> function, Tensor... tensors) {
        return Arrays.stream(tensors).map(function).toList();
    }
}
