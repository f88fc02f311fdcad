package dev.outpost.internal.functions;

import dev.outpost.Tensor;

/** 0 where an element is NaN; its slope is 0 there, which makes NaN of what is not finite, and 1 elsewhere. */
public final class NanAsZero extends ElementwiseFunction {
    @Override
    public Tensor value(Tensor x) {
        return x.maskedFill(x.isnan(), 0);
    }

    @Override
    public Tensor gradient(Tensor x, Tensor ofResult) {
        return ofResult.mul(x.eq(x));
    }
}
