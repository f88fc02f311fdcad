package dev.outpost.internal.functions;

import dev.outpost.Tensor;

/**
 * A function of each element by itself, whose gradient is that of its result times one slope. The chain rule would keep a factor for
 * each step of the function; the slope follows from what forward sees, so a kernel of forward can leave it in place of them all.
 */
public abstract class ActivationWithDerivative extends ElementwiseFunction {
    /** The derivative, by tensor ops that can be differentiated in turn. */
    public abstract Tensor slope(Tensor x);

    @Override
    public final Tensor gradient(Tensor x, Tensor ofResult) {
        return ofResult.mul(slope(x));
    }
}
