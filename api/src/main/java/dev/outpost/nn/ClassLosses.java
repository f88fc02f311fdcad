package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.internal.IndexTerms;
import dev.outpost.internal.functions.ElementwiseFunctions;
import dev.outpost.types.DType;
import dev.outpost.types.DTypeAdvice;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The losses of classifiers and of distributions; see {@link Functional}. */
final class ClassLosses {
    private ClassLosses() {}

    static Tensor crossEntropy(
            Tensor input,
            Tensor target,
            @Nullable Tensor weight,
            long ignoreIndex,
            Reduction reduction,
            double labelSmoothing) {
        ArgumentChecks.required(target, "the target");
        requireClasses("cross_entropy", input, weight);
        Tensor logs = input.logSoftmax(classDim(input));
        return target.dtype().isFloating()
                ? ofProbabilities(logs, target, weight, reduction, labelSmoothing)
                : ofClasses("cross_entropy", logs, target, weight, ignoreIndex, reduction, labelSmoothing);
    }

    static Tensor nll(Tensor logs, Tensor target, @Nullable Tensor weight, long ignoreIndex, Reduction reduction) {
        ArgumentChecks.required(target, "the target");
        requireClasses("nll_loss", logs, weight);
        return ofClasses("nll_loss", logs, target, weight, ignoreIndex, reduction, 0);
    }

    private static Tensor ofProbabilities(
            Tensor logs, Tensor target, @Nullable Tensor weight, Reduction reduction, double smoothing) {
        if (!target.shape().equals(logs.shape())) {
            throw misfit("cross_entropy", logs, target);
        }
        int classDim = classDim(logs);
        long classes = logs.size(classDim);
        Tensor smooth = smoothing == 0 ? target : target.mul(1 - smoothing).add(smoothing / classes);
        Tensor losses = weighted(logs, weight).mul(smooth).sum(classDim).neg();
        return reduction.apply(losses);
    }

    private static Tensor ofClasses(
            String op,
            Tensor logs,
            Tensor target,
            @Nullable Tensor weight,
            long ignoreIndex,
            Reduction reduction,
            double smoothing) {
        int classDim = classDim(logs);
        if (!target.shape().equals(without(logs.shape(), classDim))
                || !target.dtype().isIntegral()) {
            throw misfit(op, logs, target);
        }
        Tensor isCounted = target.ne(ignoreIndex);
        Tensor classes = target.int64().where(isCounted, 0);
        Tensor weights = weight == null
                ? null
                : labelled(op, () -> weight.indexSelect(0, classes.flatten())).reshape(classes.shape());
        Tensor chosen = labelled(op, () -> logs.gather(classDim, classes.unsqueeze(classDim)))
                .squeeze(classDim);
        Tensor losses = weights == null ? chosen.neg() : chosen.mul(weights).neg();
        Tensor counted = smoothed(losses, logs, weight, smoothing).where(isCounted, 0);
        return reduction == Reduction.MEAN
                ? wide(counted).sum().div(totalWeight(weights, isCounted)).to(logs.dtype())
                : reduction.apply(counted);
    }

    /** Runs a lookup by label, and fails with a clear message if a label is out of range. */
    private static Tensor labelled(String op, Supplier<Tensor> pick) {
        return IndexTerms.named(op, "label", "classes", pick);
    }

    private static Tensor smoothed(Tensor losses, Tensor logs, @Nullable Tensor weight, double smoothing) {
        if (smoothing == 0) {
            return losses;
        }
        int classDim = classDim(logs);
        Tensor ofAllClasses = weighted(logs, weight).sum(classDim).mul(-smoothing / logs.size(classDim));
        return losses.mul(1 - smoothing).add(ofAllClasses);
    }

    /** Converts 16-bit floats to float32, because their sum could overflow although their mean does not. */
    private static Tensor wide(Tensor losses) {
        return losses.dtype().bytes() == 2 ? losses.float32() : losses;
    }

    private static Tensor totalWeight(@Nullable Tensor weights, Tensor isCounted) {
        return weights == null ? isCounted.sum() : weights.where(isCounted, 0).sum();
    }

    /** Multiplies the logarithms of each class by its weight. */
    private static Tensor weighted(Tensor logs, @Nullable Tensor weight) {
        if (weight == null) {
            return logs;
        }
        long[] sizes = new long[logs.dim()];
        Arrays.fill(sizes, 1);
        sizes[classDim(logs)] = weight.numel();
        return logs.mul(weight.reshape(sizes));
    }

    static Tensor binaryCrossEntropy(Tensor input, Tensor target, @Nullable Tensor weight) {
        requireSameShape("binary_cross_entropy", input, target);
        Tensor losses = ElementwiseFunctions.BINARY_CROSS_ENTROPY.of(input, target);
        return weight == null ? losses : losses.mul(weight);
    }

    static Tensor binaryCrossEntropyWithLogits(
            Tensor input, Tensor target, @Nullable Tensor weight, @Nullable Tensor posWeight) {
        requireSameShape("binary_cross_entropy_with_logits", input, target);
        Tensor logs = input.logsigmoid();
        Tensor scaled =
                posWeight == null ? logs : logs.mul(posWeight.sub(1).mul(target).add(1));
        Tensor losses = target.rsub(1).mul(input).sub(scaled);
        return weight == null ? losses : losses.mul(weight);
    }

    static Tensor klDiv(Tensor input, Tensor target, boolean logTarget) {
        return logTarget
                ? target.exp().mul(target.sub(input))
                : target.xlogy(target).sub(target.mul(input));
    }

    private static int classDim(Tensor input) {
        return input.dim() == 1 ? 0 : 1;
    }

    private static Shape without(Shape shape, int dim) {
        long[] sizes = shape.toArray();
        long[] rest = Arrays.copyOf(sizes, sizes.length - 1);
        System.arraycopy(sizes, dim + 1, rest, dim, rest.length - dim);
        return Shape.of(rest);
    }

    private static void requireClasses(String op, Tensor input, @Nullable Tensor weight) {
        if (ArgumentChecks.required(input, "the input").dim() == 0) {
            throw new OpException(op, "the input needs a dimension of classes, got " + input.shape());
        }
        long classes = input.size(classDim(input));
        if (weight != null && !weight.shape().equals(Shape.of(classes))) {
            throw new OpException(op, "one weight for each class is needed, got " + weight.shape() + " and " + classes);
        }
    }

    private static OpException misfit(String op, Tensor input, Tensor target) {
        boolean isOfFloats = target.dtype().isFloating() && !target.shape().equals(input.shape());
        return new OpException(
                op,
                "the target does not fit the input, got " + target.type() + " and " + input.type()
                        + (isOfFloats ? "; cast classes with " + DTypeAdvice.cast(DType.INT64) : ""));
    }

    private static void requireSameShape(String op, Tensor input, Tensor target) {
        ArgumentChecks.required(input, "the input");
        ArgumentChecks.required(target, "the target");
        if (!input.shape().equals(target.shape())) {
            throw new OpException(op, "shapes differ, got " + input.shape() + " and " + target.shape());
        }
    }
}
