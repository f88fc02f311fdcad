package dev.outpost.internal.ops;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.Autocast;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.States;
import dev.outpost.protocol.op.Matmul;
import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** Converts operands for the primitive, a matrix product or a batch of matrix products. Uses views where possible. */
public final class Contractions {
    private Contractions() {}

    /** Computes torch.matmul. Error messages name {@code op} and the user's shapes. */
    public static Tensor matmul(String op, Tensor left, Tensor right) {
        if (isProductOfNoBools(left, right) && left.dim() + right.dim() > 2) {
            return Scope.tidy(() -> matmul(op, left.uint8(), right.uint8()).bool());
        }
        requireOperands(op, left, right);
        if (left.dim() == 2 && right.dim() == 2) {
            return Dispatch.apply(new Matmul(), left, right);
        }
        Layout leftLayout = left.dim() == 1 ? States.layout(left).unsqueeze(0) : States.layout(left);
        Layout rightLayout = right.dim() == 1 ? States.layout(right).unsqueeze(1) : States.layout(right);
        Shape leftBatch = batchOf(leftLayout);
        Shape rightBatch = batchOf(rightLayout);
        Shape batch = broadcastBatches(op, left, right, leftBatch, rightBatch);
        Shape result = resultShape(batch, left, right);
        if (rightBatch.elements() == 1 && leftBatch.elements() != 1) {
            return fold(left, leftLayout, right, rightLayout, result);
        }
        long rows = fromEnd(leftLayout, 2);
        long inner = fromEnd(leftLayout, 1);
        long columns = fromEnd(rightLayout, 1);
        Layout leftMatrices = leftLayout.expand(withMatrix(batch, rows, inner));
        Layout rightMatrices = rightLayout.expand(withMatrix(batch, inner, columns));
        Tensor a = arranged(left, leftMatrices, matrices(batch, rows, inner));
        Tensor b = arranged(right, rightMatrices, matrices(batch, inner, columns));
        return product(a, b, result);
    }

    /** Multiplies by one matrix on the right: merges the batch on the left into the rows of one matrix. */
    private static Tensor fold(Tensor left, Layout leftLayout, Tensor right, Layout rightLayout, Shape result) {
        long inner = fromEnd(leftLayout, 1);
        long rows = batchOf(leftLayout).elements() * fromEnd(leftLayout, 2);
        Tensor a = arranged(left, leftLayout, Shape.of(rows, inner));
        Tensor b = arranged(right, rightLayout, Shape.of(inner, fromEnd(rightLayout, 1)));
        return product(a, b, result);
    }

    /** Returns the shape for the primitive: one matrix without a batch, else matrices with one batch dimension. */
    public static Shape matrices(Shape batch, long rows, long columns) {
        return batch.rank() == 0 ? Shape.of(rows, columns) : Shape.of(batch.elements(), rows, columns);
    }

    /** Multiplies temporary matrices or batches of them, closes them, and returns the result in another shape. */
    public static Tensor product(Tensor left, Tensor right, Shape result) {
        Tensor product = Dispatch.apply(new Matmul(), left, right);
        left.close();
        right.close();
        return Dims.reshaped(product, result);
    }

    /** Returns a tensor's elements with another layout and shape as a new handle. Copies only if necessary. */
    public static Tensor arranged(Tensor tensor, Layout layout, Shape shape) {
        Layout view = layout.viewAs(shape);
        if (view != null) {
            return States.view(tensor, view);
        }
        Tensor scattered = States.view(tensor, layout);
        Tensor copy = scattered.clone();
        scattered.close();
        return Dims.reshaped(copy, shape);
    }

    /** True if the operands are bool and the product is empty. PyTorch refuses all other products of bools. */
    public static boolean isProductOfNoBools(Tensor left, Tensor right) {
        boolean areBools = left.dtype() == DType.BOOL && right.dtype() == DType.BOOL;
        return areBools && (left.numel() == 0 || right.numel() == 0);
    }

    private static void requireOperands(String op, Tensor left, Tensor right) {
        ArgumentChecks.required(right, "the other operand");
        if (left.dim() == 0 || right.dim() == 0) {
            throw new OpException(
                    op, "both operands need at least one dimension, got " + left.shape() + " and " + right.shape());
        }
        requireSameDType(op, left, right);
        if (left.size(-1) != right.size(right.dim() == 1 ? 0 : -2)) {
            throw new OpException(op, "inner dimensions differ, got " + left.shape() + " and " + right.shape());
        }
    }

    public static void requireSameDType(String op, Tensor left, Tensor right) {
        boolean isCast = Autocast.isEnabled()
                && left.dtype().isFloating()
                && right.dtype().isFloating();
        if (left.dtype() != right.dtype() && !isCast) {
            throw new OpException(op, DTypeAdvice.differ(left.dtype(), right.dtype()));
        }
        if (left.dtype() == DType.BOOL) {
            throw new OpException(op, "not defined for bool, got " + left.type() + " and " + right.type());
        }
    }

    private static Shape broadcastBatches(String op, Tensor left, Tensor right, Shape leftBatch, Shape rightBatch) {
        try {
            return Shape.broadcast(op, leftBatch, rightBatch);
        } catch (OpException ignored) {
            throw new OpException(op, "batches do not broadcast, got " + left.shape() + " and " + right.shape());
        }
    }

    private static Shape resultShape(Shape batch, Tensor left, Tensor right) {
        long[] sizes = Arrays.copyOf(batch.toArray(), batch.rank() + 2);
        int rank = batch.rank();
        if (left.dim() > 1) {
            sizes[rank++] = left.size(-2);
        }
        if (right.dim() > 1) {
            sizes[rank++] = right.size(-1);
        }
        return Shape.of(Arrays.copyOf(sizes, rank));
    }

    private static Shape batchOf(Layout layout) {
        return Shape.of(Arrays.copyOf(layout.shape().toArray(), layout.rank() - 2));
    }

    private static Shape withMatrix(Shape batch, long rows, long columns) {
        long[] sizes = Arrays.copyOf(batch.toArray(), batch.rank() + 2);
        sizes[batch.rank()] = rows;
        sizes[batch.rank() + 1] = columns;
        return Shape.of(sizes);
    }

    private static long fromEnd(Layout layout, int position) {
        return layout.shape().size(layout.rank() - position);
    }
}
