package dev.outpost.nn;

import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Losses. They are averaged over their elements unless a {@link Reduction} says otherwise. A part of {@link Functional}. */
abstract sealed class LossFunctions extends ElementFunctions permits Functional {
    /** The default label of ignored elements: PyTorch's default of {@code ignore_index}. */
    public static final long NO_INDEX = -100;

    private static final long[] NONE = {};

    private static Tensor reduced(Reduction reduction, Supplier<Tensor> losses) {
        return ArgumentChecks.required(reduction, "the reduction").of(losses);
    }

    // ---- losses of distances

    /**
     * Averages (input - target)² over all elements. The shapes broadcast.
     *
     * {@snippet file="ModuleExamplesTest.java" region="mseLoss"}
     */
    public static Tensor mseLoss(Tensor input, Tensor target) {
        return mseLoss(input, target, Reduction.MEAN);
    }

    /** Computes (input - target)². */
    public static Tensor mseLoss(Tensor input, Tensor target, Reduction reduction) {
        return reduced(reduction, () -> ElementLosses.squared(input, target));
    }

    /** Averages |input - target| over all elements. The shapes broadcast. */
    public static Tensor l1Loss(Tensor input, Tensor target) {
        return l1Loss(input, target, Reduction.MEAN);
    }

    /** Computes |input - target|. */
    public static Tensor l1Loss(Tensor input, Tensor target, Reduction reduction) {
        return reduced(reduction, () -> ElementLosses.absolute(input, target));
    }

    /**
     * Like {@link #smoothL1Loss(Tensor, Tensor, double, Reduction)}, but with a beta of 1, averaged over all
     * elements.
     */
    public static Tensor smoothL1Loss(Tensor input, Tensor target) {
        return smoothL1Loss(input, target, 1, Reduction.MEAN);
    }

    /** Computes d² / (2 · beta) for distances d below beta, and d - beta / 2 above (Girshick, "Fast R-CNN", 2015). */
    public static Tensor smoothL1Loss(Tensor input, Tensor target, double beta, Reduction reduction) {
        return reduced(reduction, () -> ElementLosses.smoothAbsolute(input, target, beta));
    }

    /**
     * Like {@link #huberLoss(Tensor, Tensor, double, Reduction)}, but with a delta of 1, averaged over all elements.
     */
    public static Tensor huberLoss(Tensor input, Tensor target) {
        return huberLoss(input, target, 1, Reduction.MEAN);
    }

    /** Computes d² / 2 for distances d below delta, and delta · (d - delta / 2) above (Huber, 1964). */
    public static Tensor huberLoss(Tensor input, Tensor target, double delta, Reduction reduction) {
        return reduced(reduction, () -> ElementLosses.huber(input, target, delta));
    }

    // ---- losses of classifiers

    /**
     * Averages {@link #crossEntropy(Tensor, Tensor, Tensor, long, Reduction, double)} over all targets, without weights.
     *
     * {@snippet file="ModuleExamplesTest.java" region="crossEntropy"}
     */
    public static Tensor crossEntropy(Tensor input, Tensor target) {
        return crossEntropy(input, target, null, NO_INDEX, Reduction.MEAN, 0);
    }

    /**
     * Like {@link #crossEntropy(Tensor, Tensor, Tensor, long, Reduction, double)}, but without weights and label
     * smoothing.
     */
    public static Tensor crossEntropy(Tensor input, Tensor target, Reduction reduction) {
        return crossEntropy(input, target, null, NO_INDEX, reduction, 0);
    }

    /**
     * Returns the negative logarithm of the probability that softmax gives the target.
     *
     * @param input logits, {@code [classes]}, {@code [batch, classes]} or {@code [batch, classes, d1, ...]}
     * @param target classes (integers) in the input's shape without the dimension of the classes, or probabilities
     * (floats) in the input's shape
     * @param weight one for each class, or null; with {@link Reduction#MEAN} and classes as targets losses are divided by the sum of the
     *     targets' weights
     * @param ignoreIndex the class that is ignored; -100 by default
     * @param labelSmoothing the share of the target that is spread evenly over all classes (Szegedy et al., 2016)
     */
    public static Tensor crossEntropy(
            Tensor input,
            Tensor target,
            @Nullable Tensor weight,
            long ignoreIndex,
            Reduction reduction,
            double labelSmoothing) {
        return Scope.tidy(
                () -> ClassLosses.crossEntropy(input, target, weight, ignoreIndex, reduction, labelSmoothing));
    }

    /**
     * Like {@link #nllLoss(Tensor, Tensor, Tensor, long, Reduction)}, but averaged over all targets, without weights.
     */
    public static Tensor nllLoss(Tensor input, Tensor target) {
        return nllLoss(input, target, null, NO_INDEX, Reduction.MEAN);
    }

    /** Computes {@link #crossEntropy} for inputs that are already logarithms of probabilities, with classes as targets. */
    public static Tensor nllLoss(
            Tensor input, Tensor target, @Nullable Tensor weight, long ignoreIndex, Reduction reduction) {
        return Scope.tidy(() -> ClassLosses.nll(input, target, weight, ignoreIndex, reduction));
    }

    /**
     * Like {@link #binaryCrossEntropy(Tensor, Tensor, Tensor, Reduction)}, but averaged over all elements, without
     * weights.
     */
    public static Tensor binaryCrossEntropy(Tensor input, Tensor target) {
        return binaryCrossEntropy(input, target, null, Reduction.MEAN);
    }

    /** Computes -target · log(input) - (1 - target) · log(1 - input). Logarithms below -100 count as -100; the input must be in [0, 1]. */
    public static Tensor binaryCrossEntropy(Tensor input, Tensor target, @Nullable Tensor weight, Reduction reduction) {
        return reduced(reduction, () -> ClassLosses.binaryCrossEntropy(input, target, weight));
    }

    /**
     * Averages the binary cross entropy of sigmoid(input) and target over all elements, without overflow. The shapes must be equal.
     *
     * {@snippet file="ModuleExamplesTest.java" region="binaryCrossEntropyWithLogits"}
     */
    public static Tensor binaryCrossEntropyWithLogits(Tensor input, Tensor target) {
        return binaryCrossEntropyWithLogits(input, target, null, null, Reduction.MEAN);
    }

    /**
     * Computes {@link #binaryCrossEntropy} of sigmoid(input), without overflow.
     *
     * @param weight scales the losses, or null
     * @param posWeight scales the losses of positive targets, or null
     */
    public static Tensor binaryCrossEntropyWithLogits(
            Tensor input, Tensor target, @Nullable Tensor weight, @Nullable Tensor posWeight, Reduction reduction) {
        return reduced(reduction, () -> ClassLosses.binaryCrossEntropyWithLogits(input, target, weight, posWeight));
    }

    /**
     * Computes target · (log(target) - input), the terms of the Kullback-Leibler divergence.
     *
     * @param input logarithms of probabilities
     * @param logTarget true if the targets are logarithms, too
     */
    public static Tensor klDiv(Tensor input, Tensor target, boolean logTarget, Reduction reduction) {
        return reduced(reduction, () -> ClassLosses.klDiv(input, target, logTarget));
    }

    // ---- losses of margins and likelihoods

    /** Computes the input if the target is 1, max(0, margin - input) if it is -1. */
    public static Tensor hingeEmbeddingLoss(Tensor input, Tensor target, double margin, Reduction reduction) {
        return reduced(reduction, () -> ElementLosses.hingeEmbedding(input, target, margin));
    }

    /** Computes max(0, -target · (first - second) + margin). */
    public static Tensor marginRankingLoss(
            Tensor first, Tensor second, Tensor target, double margin, Reduction reduction) {
        return reduced(reduction, () -> ElementLosses.marginRanking(first, second, target, margin));
    }

    /** Computes 1 - cosine if the target is 1, max(0, cosine - margin) if it is -1; vectors are in the last dimension. */
    public static Tensor cosineEmbeddingLoss(
            Tensor first, Tensor second, Tensor target, double margin, Reduction reduction) {
        return reduced(reduction, () -> ElementLosses.cosineEmbedding(first, second, target, margin));
    }

    /** Computes log(1 + exp(-target · input)). */
    public static Tensor softMarginLoss(Tensor input, Tensor target, Reduction reduction) {
        return reduced(reduction, () -> ElementLosses.softMargin(input, target));
    }

    /**
     * Computes (log(variance) + (input - target)² / variance) / 2; variances below eps count as eps.
     *
     * @param full true if log(2π) / 2 is added
     */
    public static Tensor gaussianNllLoss(
            Tensor input, Tensor target, Tensor variance, boolean full, double eps, Reduction reduction) {
        return reduced(reduction, () -> ElementLosses.gaussianNll(input, target, variance, full, eps));
    }

    /**
     * Computes exp(input) - target · input or, unless the input is a logarithm, input - target · log(input + eps).
     *
     * @param full true if Stirling's approximation of log(target!) is added
     */
    public static Tensor poissonNllLoss(
            Tensor input, Tensor target, boolean logInput, boolean full, double eps, Reduction reduction) {
        return reduced(reduction, () -> ElementLosses.poissonNll(input, target, logInput, full, eps));
    }

    /** Same as {@code tripletMarginLoss(anchor, positive, negative, 1, 2, 1e-6, false, MEAN)}. */
    public static Tensor tripletMarginLoss(Tensor anchor, Tensor positive, Tensor negative) {
        return tripletMarginLoss(anchor, positive, negative, 1, 2, 1e-6, false, Reduction.MEAN);
    }

    /**
     * Computes max(0, distance(anchor, positive) - distance(anchor, negative) + margin), by {@link
     * #pairwiseDistance}.
     *
     * @param swap true to use the distance of positive and negative if it is smaller than the distance of anchor and
     * negative
     */
    public static Tensor tripletMarginLoss(
            Tensor anchor,
            Tensor positive,
            Tensor negative,
            double margin,
            double p,
            double eps,
            boolean swap,
            Reduction reduction) {
        return reduced(reduction, () -> ElementLosses.tripletMargin(anchor, positive, negative, margin, p, eps, swap));
    }

    // ---- losses of classifiers by margins

    /** Computes Σ max(0, margin - score of the class + score of another)^p / classes, over the other classes. */
    public static Tensor multiMarginLoss(
            Tensor input, Tensor target, double p, double margin, @Nullable Tensor weight, Reduction reduction) {
        return reduced(reduction, () -> MarginLosses.multi(input, target, p, margin, weight));
    }

    /**
     * Computes Σ max(0, 1 - score of a class + score of another) / classes, over all pairs of a class of the sample and another class.
     *
     * @param target a sample's classes, up to the first negative one
     */
    public static Tensor multilabelMarginLoss(Tensor input, Tensor target, Reduction reduction) {
        return reduced(reduction, () -> MarginLosses.multilabel(input, target));
    }

    /** Computes the mean of the binary cross entropies of the classes. */
    public static Tensor multilabelSoftMarginLoss(
            Tensor input, Tensor target, @Nullable Tensor weight, Reduction reduction) {
        return reduced(reduction, () -> MarginLosses.multilabelSoft(input, target, weight));
    }

    /**
     * Returns the negative logarithm of the probability of targets, over all alignments with the input (connectionist temporal
     * classification). Like PyTorch's, its gradient assumes that the input is normalized, as by a logSoftmax.
     *
     * @param logProbs {@code [time, batch, classes]}, or without the batch
     * @param targets {@code [batch, length]}, or all targets concatenated
     * @param inputLengths the number of steps of each element of the batch
     * @param targetLengths the length of each target
     * @param blank the class of the blank label
     * @param reduction the mean is the mean of losses divided by the lengths of their targets
     * @param zeroInfinity true if targets that are longer than their input count as 0, not as infinite
     */
    public static Tensor ctcLoss(
            Tensor logProbs,
            Tensor targets,
            Tensor inputLengths,
            Tensor targetLengths,
            long blank,
            Reduction reduction,
            boolean zeroInfinity) {
        ArgumentChecks.required(reduction, "the reduction");
        return Scope.tidy(() -> {
            boolean isBatch = logProbs.dim() == 3;
            Tensor batch = isBatch ? logProbs : logProbs.unsqueeze(1);
            Tensor each = isBatch || targets.dim() != 1 ? targets : targets.unsqueeze(0);
            Tensor finite = Ctc.losses(batch, each, inputLengths, targetLengths, blank, zeroInfinity);
            return switch (reduction) {
                case NONE -> isBatch ? finite : finite.squeeze(0);
                case MEAN ->
                    finite.div(targetLengths.view(finite.shape()).clampMin(1).to(finite.dtype()))
                            .mean();
                case SUM, BATCHMEAN -> reduction.apply(finite);
            };
        });
    }
}
