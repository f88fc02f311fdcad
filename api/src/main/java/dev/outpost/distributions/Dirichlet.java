package dev.outpost.distributions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** Random probabilities of several classes (torch.distributions.Dirichlet). */
public final class Dirichlet extends Distribution {
    private final Tensor concentration;

    /** @param concentration {@code [..., classes]} */
    public Dirichlet(Tensor concentration) {
        super(leading(concentration), Shape.of(concentration.size(-1)), concentration);
        this.concentration = concentration;
    }

    private static Shape leading(Tensor concentration) {
        if (concentration.dim() == 0) {
            throw new OpException("dirichlet", "a dimension of classes is needed, got " + concentration.shape());
        }
        return Shape.of(Arrays.copyOf(concentration.shape().toArray(), concentration.dim() - 1));
    }

    /** Returns the concentration, {@code [..., classes]}. */
    public Tensor concentration() {
        return concentration;
    }

    @Override
    Tensor draw(long[] shape) {
        Tensor each = StandardGamma.sample(this, concentration, shape);
        return each.div(each.sum(-1, true));
    }

    @Override
    public Tensor logProb(Tensor value) {
        return Scope.tidy(() -> concentration.sub(1).xlogy(value).sum(-1).add(normalizer()));
    }

    private Tensor normalizer() {
        return concentration.sum(-1).lgamma().sub(concentration.lgamma().sum(-1));
    }

    @Override
    public Tensor entropy() {
        return Scope.tidy(() -> normalizer()
                .neg()
                .sub(concentration
                        .sum(-1)
                        .rsub(concentration.size(-1))
                        .mul(concentration.sum(-1).digamma()))
                .sub(concentration.sub(1).mul(concentration.digamma()).sum(-1)));
    }

    @Override
    public Tensor mean() {
        return Scope.tidy(() -> concentration.div(concentration.sum(-1, true)));
    }

    @Override
    public Tensor variance() {
        return Scope.tidy(() -> concentration
                .mul(concentration.sum(-1, true).sub(concentration))
                .div(concentration
                        .sum(-1, true)
                        .square()
                        .mul(concentration.sum(-1, true).add(1))));
    }
}
