package dev.outpost.distributions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.Shape;

/** x^(a - 1) · (1 - x)^(b - 1) / B(a, b) in (0, 1) (torch.distributions.Beta). */
public final class Beta extends Distribution {
    private final Tensor first;
    private final Tensor second;

    /**
     * Creates a distribution from parameters that broadcast.
     *
     * @param first the concentration a
     * @param second the concentration b
     */
    public Beta(Tensor first, Tensor second) {
        super(Shape.broadcast("beta", first.shape(), second.shape()), Shape.SCALAR, first);
        this.first = first.expand(batchShape());
        this.second = second.expand(batchShape());
    }

    /** Returns the concentration a, of the batch shape. */
    public Tensor first() {
        return first;
    }

    /** Returns the concentration b, of the batch shape. */
    public Tensor second() {
        return second;
    }

    @Override
    Tensor draw(long[] shape) {
        Tensor one = StandardGamma.sample(this, first, shape);
        return one.div(one.add(StandardGamma.sample(this, second, shape)));
    }

    @Override
    public Tensor logProb(Tensor value) {
        return Scope.tidy(() -> first.sub(1)
                .xlogy(value)
                .add(second.sub(1).xlog1py(value.neg()))
                .add(normalizer()));
    }

    private Tensor normalizer() {
        return first.add(second).lgamma().sub(first.lgamma()).sub(second.lgamma());
    }

    @Override
    public Tensor entropy() {
        return Scope.tidy(() -> first.sub(1)
                .mul(first.digamma())
                .add(second.sub(1).mul(second.digamma()))
                .neg()
                .add(first.add(second).sub(2).mul(first.add(second).digamma()))
                .sub(normalizer()));
    }

    @Override
    public Tensor mean() {
        return Scope.tidy(() -> first.div(first.add(second)));
    }

    @Override
    public Tensor variance() {
        return Scope.tidy(() -> first.mul(second)
                .div(first.add(second).square().mul(first.add(second).add(1))));
    }
}
