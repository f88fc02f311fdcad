package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.OpRecording;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;

/** The losses of distances, margins and likelihoods, element by element; see {@link Functional}. */
final class ElementLosses {
    private ElementLosses() {}

    static Tensor squared(Tensor input, Tensor target) {
        return promotedDifference(input, target).square();
    }

    static Tensor absolute(Tensor input, Tensor target) {
        return difference(input, target).abs();
    }

    private static Tensor difference(Tensor input, Tensor target) {
        return ArgumentChecks.required(input, "the input").sub(ArgumentChecks.required(target, "the target"));
    }

    /** Subtracts after promoting the dtypes; one of them may be bool. */
    private static Tensor promotedDifference(Tensor input, Tensor target) {
        DType dtype = OpRecording.resultType(
                ArgumentChecks.required(input, "the input"), ArgumentChecks.required(target, "the target"));
        return input.to(dtype).sub(target.to(dtype));
    }

    static Tensor smoothAbsolute(Tensor input, Tensor target, double beta) {
        if (!(beta >= 0)) {
            throw new OpException("smooth_l1_loss", "beta must not be negative, got " + beta);
        }
        Tensor difference = promotedDifference(input, target);
        return beta == 0 ? difference.abs() : huber(difference, beta).div(beta);
    }

    static Tensor huber(Tensor input, Tensor target, double delta) {
        if (!(delta > 0)) {
            throw new OpException("huber_loss", "delta must be positive, got " + delta);
        }
        return huber(difference(input, target), delta);
    }

    /**
     * Returns half the square of differences below delta, and a linear function of larger ones. A large difference is not squared, because
     * its square may be infinite. A small difference is squared with its sign, because the magnitude has no second derivative at 0.
     */
    private static Tensor huber(Tensor difference, double delta) {
        Tensor distance = difference.abs();
        Tensor isFar = distance.ge(delta);
        Tensor near = difference.maskedFill(isFar, 0);
        Tensor curve = near.mul(near).mul(0.5);
        Tensor line = distance.sub(delta / 2).mul(delta);
        return line.where(isFar, curve);
    }

    static Tensor hingeEmbedding(Tensor input, Tensor target, double margin) {
        Tensor similar = input.maskedFill(target.eq(-1), 0);
        Tensor different = input.rsub(margin).clampMin(0).maskedFill(target.eq(1), 0);
        return similar.add(different);
    }

    static Tensor marginRanking(Tensor first, Tensor second, Tensor target, double margin) {
        return target.neg().mul(first.sub(second)).add(margin).clampMin(0);
    }

    /** Uses 1e-12 under the roots, like PyTorch. */
    static Tensor cosineEmbedding(Tensor first, Tensor second, Tensor target, double margin) {
        double eps = 1e-12;
        Tensor squares =
                first.square().sum(-1).add(eps).mul(second.square().sum(-1).add(eps));
        Tensor cosine = first.mul(second).sum(-1).div(squares.sqrt());
        Tensor similar = cosine.rsub(1).maskedFill(target.eq(1).logicalNot(), 0);
        Tensor different =
                cosine.sub(margin).clampMin(0).maskedFill(target.eq(-1).logicalNot(), 0);
        return similar.add(different);
    }

    static Tensor softMargin(Tensor input, Tensor target) {
        return target.neg().mul(input).softplus();
    }

    static Tensor gaussianNll(Tensor input, Tensor target, Tensor variance, boolean full, double eps) {
        Tensor fitted = isPerRow(input, variance) ? variance.unsqueeze(-1) : variance;
        Tensor lift = GradMode.noGrad(() -> fitted.clampMin(eps).sub(fitted));
        Tensor bounded = fitted.add(lift);
        Tensor losses = bounded.log().add(squared(input, target).div(bounded)).mul(0.5);
        return full ? losses.add(0.5 * Math.log(2 * Math.PI)) : losses;
    }

    /** Returns true if the variance has one number for the whole last dimension. */
    private static boolean isPerRow(Tensor input, Tensor variance) {
        long[] sizes = input.shape().toArray();
        return !variance.shape().equals(input.shape())
                && sizes.length > 0
                && variance.shape().equals(Shape.of(Arrays.copyOf(sizes, sizes.length - 1)));
    }

    static Tensor poissonNll(Tensor input, Tensor target, boolean logInput, boolean full, double eps) {
        Tensor losses = logInput
                ? input.exp().sub(target.mul(input))
                : input.sub(target.mul(input.add(eps).log()));
        return full ? losses.add(stirling(target)) : losses;
    }

    /** Returns Stirling's approximation of log(n!), and 0 for n up to 1. */
    private static Tensor stirling(Tensor n) {
        Tensor isSmall = n.le(1);
        Tensor large = n.maskedFill(isSmall, 1);
        Tensor terms = large.mul(large.log())
                .sub(large)
                .add(large.mul(2 * Math.PI).log().mul(0.5));
        return terms.maskedFill(isSmall, 0);
    }

    static Tensor tripletMargin(
            Tensor anchor, Tensor positive, Tensor negative, double margin, double p, double eps, boolean swap) {
        if (!(margin > 0)) {
            throw new OpException("triplet_margin_loss", "the margin must be positive, got " + margin);
        }
        if (anchor.dim() != positive.dim() || anchor.dim() != negative.dim()) {
            throw new OpException(
                    "triplet_margin_loss",
                    "as many dimensions are needed of each, got " + anchor.shape() + ", " + positive.shape() + " and "
                            + negative.shape());
        }
        Tensor near = Functional.pairwiseDistance(anchor, positive, p, eps, false);
        Tensor far = Functional.pairwiseDistance(anchor, negative, p, eps, false);
        if (swap) {
            far = far.minimum(Functional.pairwiseDistance(positive, negative, p, eps, false));
        }
        return near.sub(far).add(margin).clampMin(0);
    }
}
