package dev.outpost.internal.functions;

import dev.outpost.Tensor;

/** The largest or the smallest |x|; the elements that have it share its gradient with those that are NaN. */
public final class ExtremeMagnitude extends NormFunction {
    private final boolean isLargest;

    public ExtremeMagnitude(boolean isLargest, int... dims) {
        super(dims);
        this.isLargest = isLargest;
    }

    @Override
    public Tensor value(Tensor x) {
        return extreme(x.abs());
    }

    private Tensor extreme(Tensor magnitudes) {
        return isLargest ? magnitudes.amax(dims, true) : magnitudes.amin(dims, true);
    }

    @Override
    public Tensor gradient(Tensor x, Tensor ofNorm) {
        Tensor magnitudes = x.abs();
        Tensor isMet = magnitudes.eq(extreme(magnitudes)).logicalOr(x.isnan());
        return ofNorm.div(isMet.sum(dims, true)).mul(isMet).mul(x.sign());
    }
}
