package dev.outpost.distributions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.Shape;

/** rate^a · x^(a - 1) · exp(-rate · x) / Γ(a) (torch.distributions.Gamma). */
public final class Gamma extends Distribution {
    private final Tensor concentration;
    private final Tensor rate;

    /**
     * Creates a distribution from parameters that broadcast.
     *
     * @param concentration the shape a
     * @param rate the rate
     */
    public Gamma(Tensor concentration, Tensor rate) {
        super(Shape.broadcast("gamma", concentration.shape(), rate.shape()), Shape.SCALAR, concentration);
        this.concentration = concentration.expand(batchShape());
        this.rate = rate.expand(batchShape());
    }

    /** Returns the shape a, of the batch shape. */
    public Tensor concentration() {
        return concentration;
    }

    /** Returns the rate, of the batch shape. */
    public Tensor rate() {
        return rate;
    }

    @Override
    Tensor draw(long[] shape) {
        return StandardGamma.sample(this, concentration, shape).div(rate);
    }

    @Override
    public Tensor logProb(Tensor value) {
        return Scope.tidy(() -> concentration
                .xlogy(rate)
                .add(concentration.sub(1).xlogy(value))
                .sub(rate.mul(value))
                .sub(concentration.lgamma()));
    }

    @Override
    public Tensor entropy() {
        return Scope.tidy(() -> concentration
                .sub(rate.log())
                .add(concentration.lgamma())
                .add(concentration.rsub(1).mul(concentration.digamma())));
    }

    @Override
    public Tensor mean() {
        return Scope.tidy(() -> concentration.div(rate));
    }

    @Override
    public Tensor variance() {
        return Scope.tidy(() -> concentration.div(rate.square()));
    }
}
