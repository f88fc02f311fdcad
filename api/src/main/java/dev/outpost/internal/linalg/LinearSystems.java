package dev.outpost.internal.linalg;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.Creation;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.States;
import dev.outpost.internal.functions.LibraryFunction;
import dev.outpost.internal.gradients.FactorGradients;
import dev.outpost.protocol.op.LuFactor;
import dev.outpost.protocol.op.PivotOrder;
import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** LU factorizations, and solvers that use them. */
public final class LinearSystems {
    private LinearSystems() {}

    // ---- shapes

    public static Tensor requireMatrices(String op, Tensor tensor) {
        if (ArgumentChecks.required(tensor, "the matrix").dim() < 2) {
            throw new OpException(op, "needs at least 2 dimensions, got " + tensor.type());
        }
        if (tensor.dtype() != DType.FLOAT32 && tensor.dtype() != DType.FLOAT64) {
            throw new OpException(op, "needs float32 or float64, got " + tensor.type() + DTypeAdvice.CAST_FIRST);
        }
        return tensor;
    }

    public static Tensor requireSquare(String op, Tensor tensor) {
        requireMatrices(op, tensor);
        if (tensor.size(-1) != tensor.size(-2)) {
            throw new OpException(op, "matrices must be square, got " + tensor.type());
        }
        return tensor;
    }

    /** Throws unless the left matrices have as many columns as the right ones have rows, and both have the same dtype. */
    public static void requireFitting(String op, Tensor left, Tensor right) {
        requireMatrices(op, right);
        if (left.dtype() != right.dtype()) {
            throw new OpException(op, DTypeAdvice.differ(left.dtype(), right.dtype()));
        }
        if (left.size(-1) != right.size(-2)) {
            throw new OpException(op, "inner dimensions differ, got " + left.shape() + " and " + right.shape());
        }
    }

    /** Returns the dimensions before the last {@code inner} ones. */
    public static Shape batch(Tensor tensor, int inner) {
        return Shape.of(Arrays.copyOf(tensor.shape().toArray(), tensor.dim() - inner));
    }

    /** Returns the batch shape that the batches of two tensors broadcast to. */
    public static Shape commonBatch(String op, Tensor left, Tensor right) {
        return Shape.broadcast(op, batch(left, 2), batch(right, 2));
    }

    /** Expands the matrices, or vectors, to a batch. */
    public static Tensor expanded(Tensor tensor, Shape batch, int inner) {
        long[] sizes = Arrays.copyOf(batch.toArray(), batch.rank() + inner);
        for (int dim = 0; dim < inner; dim++) {
            sizes[batch.rank() + dim] = tensor.size(dim - inner);
        }
        return tensor.shape().equals(Shape.of(sizes)) ? tensor : tensor.expand(Shape.of(sizes));
    }

    /** Computes the inverses of square matrices. Fails for a singular matrix. */
    public static Tensor inverse(Tensor squares) {
        requireSquare("inv", squares);
        return Scope.tidy(() -> solve("inv", squares, unit(squares), true)[0]);
    }

    /** Returns unit matrices of the same shape, dtype and machine. */
    public static Tensor unit(Tensor squares) {
        long side = squares.size(-1);
        return squares.machine().eye(side, side, squares.dtype()).expand(squares.shape());
    }

    // ---- LU

    /** Computes LU, pivots and info with {@link LuFactor}. */
    public static Tensor[] factor(Tensor matrices, boolean checked) {
        return Dispatch.applyAll(new LuFactor(checked), matrices);
    }

    /** Returns for each of {@code rows} rows its index before the exchanges. */
    public static Tensor order(Tensor pivots, long rows) {
        return Dispatch.apply(new PivotOrder(rows), pivots);
    }

    /** Reorders the rows of matrices. */
    public static Tensor rows(Tensor matrices, Tensor order) {
        return matrices.gather(-2, order.unsqueeze(-1).expand(matrices.shape()));
    }

    /** Returns L: ones on the diagonal and the packed elements below it. It has as many columns as the smaller side of the matrix. */
    public static Tensor unitLower(Tensor packed) {
        long steps = Math.min(packed.size(-1), packed.size(-2));
        return packed.narrow(-1, 0, steps).tril(-1).add(packed.machine().eye(packed.size(-2), steps, packed.dtype()));
    }

    /** Returns the p of {@code a = p l u}. */
    public static Tensor permutation(Tensor packed, Tensor pivots) {
        Tensor order = order(pivots, packed.size(-2));
        Tensor rows = Creation.indices(States.home(packed), packed.size(-2)).unsqueeze(1);
        return rows.eq(order.unsqueeze(-2)).to(packed.dtype());
    }

    /** Solves {@code a x = b}, or {@code aᵀ x = b} if {@code adjoint} is true, by the LU factors of a; batches broadcast. */
    public static Tensor solve(Tensor packed, Tensor pivots, Tensor right, boolean adjoint) {
        requireSquare("lu_solve", packed);
        requireFitting("lu_solve", packed, right);
        Shape batch = commonBatch("lu_solve", packed, right);
        Tensor factors = expanded(packed, batch, 2);
        Tensor b = expanded(right, batch, 2);
        Tensor order = expanded(order(pivots, packed.size(-1)), batch, 1);
        if (adjoint) {
            Tensor middle = FactorGradients.solve(false, false, factors.mT(), b);
            return rows(FactorGradients.solve(true, true, factors.mT(), middle), order.argsort(-1, false));
        }
        return FactorGradients.solve(true, false, factors, FactorGradients.solve(false, true, factors, rows(b, order)));
    }

    /** True if b is a batch of vectors by PyTorch's rule. */
    public static boolean isVectors(Tensor a, Tensor b) {
        return b.dim() == 1 || b.dim() == a.dim() - 1 && batch(a, 1).equals(b.shape());
    }

    /** Solves {@code a x = b}. Returns x and info. */
    public static Tensor[] solve(String op, Tensor a, Tensor b, boolean checked) {
        requireSquare(op, a);
        if (isVectors(a, b)) {
            Tensor[] solved = solve(op, a, b.unsqueeze(-1), checked);
            return new Tensor[] {solved[0].squeeze(-1), solved[1]};
        }
        requireFitting(op, a, b);
        Shape batch = commonBatch(op, a, b);
        Tensor[] factors = GradMode.noGrad(() -> factor(a, checked));
        Tensor left = expanded(a, batch, 2);
        Tensor right = expanded(b, batch, 2);
        return new Tensor[] {new Solution(factors[0], factors[1]).apply(left, right)[0], factors[2]};
    }

    /**
     * The solution of {@code a x = b}. The same factors are used to solve for the gradient. If the gradient itself is differentiated,
     * it is solved from the matrices again.
     */
    private static final class Solution extends LibraryFunction {
        private final Tensor packed;
        private final Tensor pivots;

        Solution(Tensor packed, Tensor pivots) {
            this.packed = packed;
            this.pivots = pivots;
        }

        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            Tensor x = solve(packed, pivots, inputs[1], false);
            context.save(inputs[0], inputs[1], packed, pivots, x);
            return new Tensor[] {x};
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            Tensor a = context.saved(0);
            boolean isRecorded = GradMode.isEnabled();
            Tensor x = isRecorded ? solve("solve", a, context.saved(1), false)[0] : context.saved(4);
            Tensor ofRight = isRecorded
                    ? solve("solve", a.mT(), gradients[0], false)[0]
                    : solve(context.saved(2), context.saved(3), gradients[0], true);
            return new Tensor[] {ofRight.matmul(x.mT()).neg(), ofRight};
        }
    }
}
