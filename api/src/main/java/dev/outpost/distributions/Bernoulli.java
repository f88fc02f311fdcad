package dev.outpost.distributions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.types.Shape;

/** 1 with a probability, 0 otherwise (torch.distributions.Bernoulli). */
public final class Bernoulli extends Distribution {
    private final Tensor logits;

    private Bernoulli(Tensor logits) {
        super(logits.shape(), Shape.SCALAR, logits);
        this.logits = logits;
    }

    /** Makes a distribution from the probabilities of a 1. */
    public static Bernoulli ofProbabilities(Tensor probabilities) {
        return new Bernoulli(Scope.tidy(() -> {
            double min = probabilities.dtype().bytes() == 8 ? 0x1p-52 : 0x1p-23;
            Tensor inside = probabilities.clamp(min, 1 - min);
            return inside.log().sub(inside.neg().log1p());
        }));
    }

    /** Makes a distribution from the logits log(p / (1 - p)). */
    public static Bernoulli ofLogits(Tensor logits) {
        return new Bernoulli(logits);
    }

    /** Returns the logarithm of the odds of a 1. */
    public Tensor logits() {
        return logits;
    }

    /** Returns the probability of a 1. */
    public Tensor probabilities() {
        return logits.sigmoid();
    }

    @Override
    Tensor draw(long[] shape) {
        return uniform(shape).lt(logits.sigmoid()).to(like().dtype());
    }

    @Override
    public Tensor logProb(Tensor value) {
        return Scope.tidy(() -> value.mul(logits).sub(logits.softplus()));
    }

    @Override
    public Tensor entropy() {
        return Scope.tidy(() -> logits.softplus().sub(logits.mul(logits.sigmoid())));
    }

    @Override
    public Tensor mean() {
        return Scope.tidy(() -> logits.sigmoid());
    }

    @Override
    public Tensor variance() {
        return Scope.tidy(() -> logits.sigmoid().mul(logits.neg().sigmoid()));
    }
}
