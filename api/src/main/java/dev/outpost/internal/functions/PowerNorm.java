package dev.outpost.internal.functions;

import dev.outpost.Tensor;

/** (Σ |x|^p)^(1/p); its gradient is x · |x|^(p - 2) / norm^(p - 1), and 0 where the norm is 0, or for p < 1 the element. */
public final class PowerNorm extends NormFunction {
    private final double order;

    public PowerNorm(double order, int... dims) {
        super(dims);
        this.order = order;
    }

    @Override
    public Tensor value(Tensor x) {
        return x.abs().pow(order).sum(dims, true).pow(1 / order);
    }

    @Override
    public Tensor gradient(Tensor x, Tensor ofNorm) {
        Tensor norm = of(x);
        return order < 1
                ? scaled(x).maskedFill(x.eq(0), 0).mul(ofNorm).mul(norm.pow(1 - order))
                : scaled(x).mul(ofNorm.div(norm.pow(order - 1)).maskedFill(norm.eq(0), 0));
    }

    /** Below 2 the power of 0 would be infinite. */
    private Tensor scaled(Tensor x) {
        return order < 2 ? x.sign().mul(x.abs().pow(order - 1)) : x.mul(x.abs().pow(order - 2));
    }
}
