package dev.outpost.internal.functions;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.gradients.FactorGradients;
import dev.outpost.internal.linalg.LinearSystems;
import dev.outpost.protocol.op.Cholesky;
import dev.outpost.types.Shape;

/**
 * Solves {@code l lᵀ x = b}. As in PyTorch, the gradient of l is {@code -(g xᵀ + x gᵀ) l}, where {@code g} is the gradient of b. It is
 * not restricted to the triangle that was read.
 */
public final class CholeskySolution extends LibraryFunction {
    private CholeskySolution() {}

    /** Computes L and info with {@link Cholesky}. */
    public static Tensor[] factor(Tensor matrices, boolean checked) {
        return Dispatch.applyAll(new Cholesky(checked), matrices);
    }

    public static Tensor of(Tensor b, Tensor factor, boolean upper) {
        LinearSystems.requireSquare("cholesky_solve", factor);
        LinearSystems.requireFitting("cholesky_solve", factor, b);
        Shape batch = LinearSystems.commonBatch("cholesky_solve", factor, b);
        Tensor lower = LinearSystems.expanded(upper ? factor.mT() : factor, batch, 2);
        return solve(LinearSystems.expanded(b, batch, 2), lower);
    }

    private static Tensor solve(Tensor b, Tensor lower) {
        return new CholeskySolution().apply(b, lower)[0];
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        Tensor lower = inputs[1];
        Tensor middle = FactorGradients.solve(false, false, lower, inputs[0]);
        Tensor x = FactorGradients.solve(true, false, lower.mT(), middle);
        context.save(inputs[0], lower, x);
        return new Tensor[] {x};
    }

    @Override
    protected Tensor[] backward(Context context, Tensor... gradients) {
        Tensor lower = context.saved(1);
        Tensor x = GradMode.isEnabled() ? solve(context.saved(0), lower) : context.saved(2);
        Tensor ofRight = solve(gradients[0], lower);
        Tensor product = ofRight.matmul(x.mT());
        return new Tensor[] {ofRight, product.add(product.mT()).matmul(lower).neg()};
    }
}
