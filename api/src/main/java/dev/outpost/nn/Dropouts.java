package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;
import java.util.Arrays;

/** The functions of the dropout layers (torch.nn.functional). In evaluation, they return the input. */
public final class Dropouts {
    /** The negated limit of SELU for x towards minus infinity. */
    private static final double ALPHA = 1.7580993408473766;

    private Dropouts() {}

    /**
     * Zeroes whole channels with probability p and scales the others by 1 / (1 - p) (Tompson et al., 2015).
     *
     * @param input channels with one dimension, {@code [batch, channels, length]} or {@code [channels, length]}
     */
    public static Tensor dropout1d(Tensor input, double p, boolean training) {
        return channels("dropout1d", 1, input, p, training);
    }

    /** Like {@link #dropout1d}, but for images: {@code [batch, channels, height, width]} or without the batch. */
    public static Tensor dropout2d(Tensor input, double p, boolean training) {
        return channels("dropout2d", 2, input, p, training);
    }

    /**
     * Like {@link #dropout1d}, but for volumes: {@code [batch, channels, depth, height, width]} or without the batch.
     */
    public static Tensor dropout3d(Tensor input, double p, boolean training) {
        return channels("dropout3d", 3, input, p, training);
    }

    private static Tensor channels(String op, int dims, Tensor input, double p, boolean training) {
        requireProbability(op, p);
        if (ArgumentChecks.required(input, "the input").dim() != dims + 1 && input.dim() != dims + 2) {
            throw new OpException(
                    op, "channels with " + dims + " dimensions are needed, or a batch of them, got " + input.shape());
        }
        if (!training || p == 0) {
            return input;
        }
        double scale = p == 1 ? 0 : 1 / (1 - p);
        return Scope.tidy(() -> input.mul(kept(input, p, input.dim() - dims).mul(scale)));
    }

    /**
     * Replaces elements with probability p by the limit of SELU for x towards minus infinity, and keeps mean and variance (Klambauer et
     * al., 2017).
     */
    public static Tensor alphaDropout(Tensor input, double p, boolean training) {
        return alpha("alpha_dropout", input, p, training, input.dim());
    }

    /** Like {@link #alphaDropout}, but for whole channels, which are the indices of the first two dimensions. */
    public static Tensor featureAlphaDropout(Tensor input, double p, boolean training) {
        if (ArgumentChecks.required(input, "the input").dim() < 2) {
            throw new OpException("feature_alpha_dropout", "a batch of channels is needed, got " + input.shape());
        }
        return alpha("feature_alpha_dropout", input, p, training, 2);
    }

    private static Tensor alpha(String op, Tensor input, double p, boolean training, int told) {
        requireProbability(op, p);
        if (!training || p == 0) {
            return input;
        }
        if (p == 1) {
            return Scope.tidy(() -> input.mul(0));
        }
        double factor = 1 / Math.sqrt((ALPHA * ALPHA * p + 1) * (1 - p));
        return Scope.tidy(() -> {
            Tensor kept = kept(input, p, told);
            Tensor shift = kept.sub(1).mul(ALPHA * factor).add(ALPHA * factor * p);
            return input.mul(kept.mul(factor)).add(shift);
        });
    }

    /** Returns 1 for kept elements and 0 for others: a number for each index of the first {@code told} dimensions. */
    private static Tensor kept(Tensor input, double p, int told) {
        long[] sizes = input.shape().toArray();
        Arrays.fill(sizes, told, sizes.length, 1);
        return input.newZeros(sizes).uniform_(0, 1).ge(p).to(input.dtype());
    }

    private static void requireProbability(String op, double p) {
        if (!(p >= 0 && p <= 1)) {
            throw new OpException(op, "the probability must be between 0 and 1, got " + p);
        }
    }
}
