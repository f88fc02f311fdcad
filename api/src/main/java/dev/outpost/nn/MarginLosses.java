package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/** The losses of classifiers by margins, sample by sample; see {@link Functional}. */
final class MarginLosses {
    private MarginLosses() {}

    static Tensor multi(Tensor input, Tensor target, double p, double margin, @Nullable Tensor weight) {
        Tensor scores = Tensors.atleast1d(input);
        boolean isOneOfOne = input.dim() == 1 && target.dim() == 1 && target.numel() == 1;
        if (!isOneOfOne) {
            requireFit("multi_margin_loss", input, target, Math.max(0, input.dim() - 1));
        }
        Tensor classes = scores.dim() == 1 ? target.reshape(1) : target.unsqueeze(1);
        Tensor margins = scores.sub(scores.gather(-1, classes)).add(margin);
        // NaN counts as 0, as in PyTorch.
        Tensor terms = margins.maskedFill(margins.gt(0).logicalNot(), 0);
        Tensor powers = p == 1 ? terms : terms.pow(p);
        Tensor weighted = weight == null
                ? powers
                : powers.mul(weight.indexSelect(0, classes.flatten()).view(classes.shape()));
        Tensor isTarget = weighted.zerosLike(DType.BOOL).scatter(-1, classes, 1);
        return weighted.maskedFill(isTarget, 0).sum(-1).div(scores.size(-1));
    }

    /** Computes the loss; the classes of a sample end at the first negative target. */
    static Tensor multilabel(Tensor input, Tensor target) {
        requireFit("multilabel_margin_loss", input, target, input.dim());
        Tensor scores = Tensors.atleast1d(input);
        Tensor classes = Tensors.atleast1d(target);
        Tensor isClass = classes.ge(0).int64().cumprod(-1);
        Tensor positions = classes.clampMin(0);
        Tensor isOther = isClass.zerosLike().scatterAdd(-1, positions, isClass).eq(0);
        Tensor differences = scores.gather(-1, positions).unsqueeze(-1).sub(scores.unsqueeze(-2));
        Tensor margins = differences.rsub(1);
        // NaN counts as 0, as in PyTorch.
        Tensor counts = isClass.unsqueeze(-1).mul(isOther.unsqueeze(-2)).mul(margins.gt(0));
        return margins.maskedFill(counts.eq(0), 0).sum(-2, -1).div(scores.size(-1));
    }

    static Tensor multilabelSoft(Tensor input, Tensor target, @Nullable Tensor weight) {
        requireFit("multilabel_soft_margin_loss", input, target, input.dim());
        Tensor terms = target.mul(input.logsigmoid())
                .add(target.rsub(1).mul(input.neg().logsigmoid()));
        return (weight == null ? terms : terms.mul(weight)).neg().mean(-1);
    }

    private static void requireFit(String op, Tensor input, Tensor target, int rank) {
        if (input.dim() > 2 || target.dim() != rank || rank > 0 && target.size(0) != input.size(0)) {
            throw new OpException(op, "the target does not fit, got " + target.shape() + " and " + input.shape());
        }
    }
}
