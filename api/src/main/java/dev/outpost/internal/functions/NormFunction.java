package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;

/** A norm over dimensions, which it keeps with size 1, with the gradient that PyTorch has (norm_backward). */
public abstract class NormFunction extends LibraryFunction {
    final int[] dims;

    public NormFunction(int... dims) {
        this.dims = dims;
    }

    public static NormFunction of(double order, int... dims) {
        if (order == 2) {
            return new EuclideanNorm(dims);
        }
        return Double.isInfinite(order) ? new ExtremeMagnitude(order > 0, dims) : new PowerNorm(order, dims);
    }

    /** The norm, by tensor ops. */
    public abstract Tensor value(Tensor x);

    /** The gradient of x from that of the norm, by tensor ops that can be differentiated in turn. */
    public abstract Tensor gradient(Tensor x, Tensor ofNorm);

    public final Tensor of(Tensor x) {
        return apply(x)[0];
    }

    @Override
    protected final Tensor[] forward(Context context, Tensor... inputs) {
        context.save(inputs);
        return new Tensor[] {Scope.tidy(() -> value(inputs[0]))};
    }

    @Override
    protected final Tensor[] backward(Context context, Tensor... gradients) {
        return new Tensor[] {Scope.tidy(() -> gradient(context.saved(0), gradients[0]))};
    }
}
