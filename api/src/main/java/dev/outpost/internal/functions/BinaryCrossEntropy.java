package dev.outpost.internal.functions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * -(t · log(x) + (1 - t) · log(1 - x)) with logarithms of at least -100. As PyTorch has it, the gradient of x is
 * (x - t) / max(x · (1 - x), 1e-12), so that it is finite and points to the target where x is 0 or 1.
 */
public final class BinaryCrossEntropy extends LibraryFunction {
    private static final double SMALLEST_LOG = -100;
    private static final double SMALLEST_SLOPE = 1e-12;

    public Tensor of(Tensor x, Tensor target) {
        return apply(x, target)[0];
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        context.save(inputs);
        return new Tensor[] {
            Scope.tidy(() -> {
                Tensor x = inputs[0];
                Tensor target = inputs[1];
                return target.sub(1).mul(logOfOther(x)).sub(target.mul(log(x)));
            })
        };
    }

    private static Tensor log(Tensor x) {
        return x.log().clampMin(SMALLEST_LOG);
    }

    private static Tensor logOfOther(Tensor x) {
        return x.neg().log1p().clampMin(SMALLEST_LOG);
    }

    @Override
    protected @Nullable Tensor[] backward(Context context, Tensor... gradients) {
        Tensor x = context.saved(0);
        Tensor target = context.saved(1);
        return new @Nullable Tensor[] {
            Scope.tidy(
                    () -> gradients[0].mul(x.sub(target)).div(x.rsub(1).mul(x).clampMin(SMALLEST_SLOPE))),
            // The unbounded logarithms, as in PyTorch. Only the loss uses the bounded ones.
            Scope.tidy(() -> gradients[0].mul(x.neg().log1p().sub(x.log())))
        };
    }
}
