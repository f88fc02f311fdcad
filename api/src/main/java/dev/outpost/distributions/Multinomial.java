package dev.outpost.distributions;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;

/**
 * The number of times that each class was drawn (torch.distributions.Multinomial). The entropy has no closed form and is computed as a sum
 * over counts.
 */
public final class Multinomial extends Distribution {
    private final int total;
    private final Categorical classes;

    /**
     * Creates a distribution of the counts of several draws.
     *
     * @param total the number of draws
     * @param classes the distribution of one draw
     */
    public Multinomial(int total, Categorical classes) {
        super(classes.batchShape(), Shape.of(classes.logits().size(-1)), classes.logits());
        if (total < 0) {
            throw new OpException("multinomial", "the number of draws must not be negative, got " + total);
        }
        this.total = total;
        this.classes = classes;
    }

    /** Returns the number of draws. */
    public int total() {
        return total;
    }

    @Override
    Tensor draw(long[] shape) {
        long[] sizes = new long[shape.length];
        sizes[0] = total;
        System.arraycopy(shape, 0, sizes, 1, shape.length - 1);
        Tensor drawn = classes.draw(sizes);
        return Functional.oneHot(drawn, shape[shape.length - 1]).sum(0).to(like().dtype());
    }

    @Override
    public Tensor logProb(Tensor value) {
        return Scope.tidy(() -> value.sum(-1)
                .add(1)
                .lgamma()
                .sub(value.add(1).lgamma().sum(-1))
                .add(value.mul(classes.logits()).sum(-1)));
    }

    @Override
    public Tensor entropy() {
        return Scope.tidy(() -> {
            Tensor probabilities = classes.probabilities();
            Tensor entropy = classes.entropy().mul(total).sub(lgamma(total));
            for (int count = 0; count <= total; count++) {
                double ways = lgamma(total) - lgamma(count) - lgamma(total - count);
                Tensor chance = probabilities
                        .pow(count)
                        .mul(probabilities.rsub(1).pow(total - count))
                        .mul(Math.exp(ways));
                entropy = entropy.add(chance.mul(lgamma(count)).sum(-1));
            }
            return entropy;
        });
    }

    @Override
    public Tensor mean() {
        return Scope.tidy(() -> classes.probabilities().mul(total));
    }

    @Override
    public Tensor variance() {
        return Scope.tidy(() ->
                classes.probabilities().mul(classes.probabilities().rsub(1)).mul(total));
    }

    /** Returns log(n!). */
    private static double lgamma(int n) {
        double sum = 0;
        for (int factor = 2; factor <= n; factor++) {
            sum += Math.log(factor);
        }
        return sum;
    }
}
