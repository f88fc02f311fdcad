package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;

/** Σ (x - mean)² / divisor of dimensions, which it keeps with size 1; its gradient is 2 · (x - mean) / divisor. */
public final class Variance extends LibraryFunction {
    private final double divisor;
    private final int[] dims;

    public Variance(double divisor, int... dims) {
        this.divisor = divisor;
        this.dims = dims;
    }

    public Tensor of(Tensor x) {
        return apply(x)[0];
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        context.save(inputs);
        return new Tensor[] {
            Scope.tidy(() -> centered(inputs[0]).square().sum(dims, true).div(divisor))
        };
    }

    private Tensor centered(Tensor x) {
        return x.sub(x.mean(dims, true));
    }

    @Override
    protected Tensor[] backward(Context context, Tensor... gradients) {
        return new Tensor[] {Scope.tidy(() -> gradients[0].mul(2 / divisor).mul(centered(context.saved(0))))};
    }
}
