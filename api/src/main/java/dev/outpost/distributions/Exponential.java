package dev.outpost.distributions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.Shape;

/** rate · exp(-rate · x) (torch.distributions.Exponential). */
public final class Exponential extends Distribution {
    private final Tensor rate;

    /** @param rate the rate */
    public Exponential(Tensor rate) {
        super(rate.shape(), Shape.SCALAR, rate);
        this.rate = rate;
    }

    /** Returns the rate. */
    public Tensor rate() {
        return rate;
    }

    @Override
    public boolean hasRsample() {
        return true;
    }

    @Override
    Tensor draw(long[] shape) {
        return uniform(shape).neg().log1p().neg().div(rate);
    }

    @Override
    public Tensor logProb(Tensor value) {
        return Scope.tidy(() -> rate.log().sub(rate.mul(value)));
    }

    @Override
    public Tensor entropy() {
        return Scope.tidy(() -> rate.log().rsub(1));
    }

    @Override
    public Tensor mean() {
        return Scope.tidy(() -> rate.reciprocal());
    }

    @Override
    public Tensor variance() {
        return Scope.tidy(() -> rate.square().reciprocal());
    }
}
