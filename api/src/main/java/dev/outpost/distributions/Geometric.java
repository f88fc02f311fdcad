package dev.outpost.distributions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.Shape;

/** The number of failures before the first success (torch.distributions.Geometric). */
public final class Geometric extends Distribution {
    private final Tensor probabilities;

    /** @param probabilities the probability of success */
    public Geometric(Tensor probabilities) {
        super(probabilities.shape(), Shape.SCALAR, probabilities);
        this.probabilities = probabilities;
    }

    /** Returns the probability of success. */
    public Tensor probabilities() {
        return probabilities;
    }

    @Override
    Tensor draw(long[] shape) {
        return openUniform(shape).log().div(probabilities.neg().log1p()).floor();
    }

    @Override
    public Tensor logProb(Tensor value) {
        return Scope.tidy(() -> value.mul(probabilities.neg().log1p()).add(probabilities.log()));
    }

    @Override
    public Tensor entropy() {
        return Scope.tidy(() -> probabilities
                .rsub(1)
                .mul(probabilities.neg().log1p())
                .add(probabilities.mul(probabilities.log()))
                .neg()
                .div(probabilities));
    }

    @Override
    public Tensor mean() {
        return Scope.tidy(() -> probabilities.reciprocal().sub(1));
    }

    @Override
    public Tensor variance() {
        return Scope.tidy(() -> probabilities.reciprocal().sub(1).div(probabilities));
    }
}
