package dev.outpost.internal.ops;

import dev.outpost.Generator;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/** Draws from weighted classes and from Poisson distributions. */
public final class Drawing {
    /** The number of halvings of the search interval, enough for rates up to 10^9. */
    private static final int HALVINGS = 34;

    private Drawing() {}

    /**
     * Draws the class with the largest quotient of its weight and an exponential random number; without replacement, the classes with
     * the largest quotients.
     */
    public static Tensor multinomial(Tensor weights, long samples, boolean replacement, @Nullable Generator generator) {
        if (weights.dim() != 1 && weights.dim() != 2 || !weights.dtype().isFloating()) {
            throw new OpException(
                    "multinomial", "floats [classes] or [rows, classes] are needed, got " + weights.type());
        }
        long classes = weights.size(-1);
        if (samples < 1 || classes == 0 || !replacement && samples > classes) {
            throw new OpException(
                    "multinomial",
                    "cannot draw " + samples + (replacement ? " with" : " without") + " replacement from "
                            + weights.type());
        }
        return GradMode.with(false, () -> {
            Tensor wide = weights.dtype() == DType.FLOAT64 ? weights : weights.to(DType.FLOAT32);
            if (!replacement) {
                return over(wide, generator).topk(samples, -1, true, true).indices();
            }
            long[] sizes =
                    weights.dim() == 1 ? new long[] {samples, classes} : new long[] {weights.size(0), samples, classes};
            return over(wide.unsqueeze(-2).expand(sizes), generator).argmax(-1);
        });
    }

    private static Tensor over(Tensor weights, @Nullable Generator generator) {
        Tensor scores = weights.div(weights.newZeros(weights.shape().toArray()).exponential_(1, generator));
        // The exponential number and the quotient of a small weight may round to 0. A score of -1 keeps classes of
        // weight 0 below all others.
        return scores.maskedFill(weights.eq(0), -1);
    }

    /**
     * Draws the smallest k whose distribution function, {@code igammac(k + 1, rate)}, reaches a uniform random number. Finds it by
     * bisection.
     */
    public static Tensor poisson(Tensor rates, @Nullable Generator generator) {
        if (!rates.dtype().isFloating()) {
            throw new OpException("poisson", "floating rates are needed, got " + rates.type());
        }
        return GradMode.with(false, () -> {
            Tensor rate = rates.to(DType.FLOAT64);
            Tensor uniform = rate.zerosLike().uniform_(0, 1, generator);
            Tensor low = rate.fullLike(-1);
            Tensor high = rate.sqrt().mul(12).add(rate).add(24).ceil();
            for (int halving = 0; halving < HALVINGS; halving++) {
                Tensor middle = low.add(high).mul(0.5).floor();
                Tensor reaches = middle.add(1).igammac(rate).ge(uniform);
                high = middle.where(reaches, high);
                low = low.where(reaches, middle);
            }
            return high.maskedFill(rate.ge(0).logicalNot(), Double.NaN).to(rates.dtype());
        });
    }
}
