package dev.outpost.distributions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.Shape;

/** The uniform distribution over [low, high) (torch.distributions.Uniform). */
public final class Uniform extends Distribution {
    private final Tensor low;
    private final Tensor high;

    /**
     * Creates a distribution from parameters that broadcast.
     *
     * @param low the lower bound
     * @param high the upper bound
     */
    public Uniform(Tensor low, Tensor high) {
        super(Shape.broadcast("uniform", low.shape(), high.shape()), Shape.SCALAR, low);
        this.low = low.expand(batchShape());
        this.high = high.expand(batchShape());
    }

    /** Returns the lower bound, of the batch shape. */
    public Tensor low() {
        return low;
    }

    /** Returns the upper bound, of the batch shape. */
    public Tensor high() {
        return high;
    }

    @Override
    public boolean hasRsample() {
        return true;
    }

    @Override
    Tensor draw(long[] shape) {
        return uniform(shape).mul(high.sub(low)).add(low);
    }

    @Override
    public Tensor logProb(Tensor value) {
        return Scope.tidy(() -> value.ge(low)
                .logicalAnd(value.lt(high))
                .to(like().dtype())
                .log()
                .sub(high.sub(low).log()));
    }

    @Override
    public Tensor entropy() {
        return Scope.tidy(() -> high.sub(low).log());
    }

    @Override
    public Tensor mean() {
        return Scope.tidy(() -> low.add(high).mul(0.5));
    }

    @Override
    public Tensor variance() {
        return Scope.tidy(() -> high.sub(low).square().div(12));
    }
}
