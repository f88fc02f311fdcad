package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.List;

/** The connectionist temporal classification loss (Graves et al. 2006), by the forward recursion. */
final class Ctc {
    private static final String OP = "ctc_loss";

    /** Stands for the logarithm of 0, so that differences of two of them are numbers. */
    private static final double NOTHING = -1e30;

    private final Tensor logProbs;
    private final Tensor targets;
    private final Tensor inputLengths;
    private final Tensor targetLengths;
    private final long blank;

    /**
     * @param logProbs {@code [time, batch, classes]}
     * @param targets {@code [batch, length]}, or all of them one behind the other
     */
    Ctc(Tensor logProbs, Tensor targets, Tensor inputLengths, Tensor targetLengths, long blank) {
        if (logProbs.dim() != 3 || !logProbs.dtype().isFloating()) {
            throw new OpException(OP, "floating [time, batch, classes] are needed, got " + logProbs.type());
        }
        long batch = logProbs.size(1);
        if (inputLengths.numel() != batch || targetLengths.numel() != batch) {
            throw new OpException(
                    OP,
                    "a length is needed for each of the batch, got " + inputLengths.shape() + " and "
                            + targetLengths.shape() + " for " + logProbs.shape());
        }
        if (blank < 0 || blank >= logProbs.size(2)) {
            throw new OpException(OP, "the blank must be a class, got " + blank + " of " + logProbs.size(2));
        }
        if (targets.dim() > 2 || targets.dim() == 2 && targets.size(0) != batch) {
            throw new OpException(
                    OP,
                    "targets are [batch, length] or one behind the other, got " + targets.shape() + " for "
                            + logProbs.shape());
        }
        this.logProbs = logProbs;
        this.inputLengths = inputLengths.view(batch).to(DType.INT64);
        this.targetLengths = targetLengths.view(batch).to(DType.INT64);
        this.targets = targets.dim() == 2 ? targets.to(DType.INT64) : padded(targets.to(DType.INT64));
        this.blank = blank;
    }

    /** Side by side; how long the longest is depends on values. */
    private Tensor padded(Tensor concatenated) {
        long longest =
                Math.max(1, targetLengths.numel() == 0 ? 1 : targetLengths.max().itemLong());
        Tensor starts = targetLengths.cumsum(0).sub(targetLengths).unsqueeze(1);
        Tensor places = starts.add(targets(longest)).clampMax(Math.max(0, concatenated.numel() - 1));
        return concatenated.numel() == 0 ? places.mul(0) : concatenated.take(places);
    }

    private Tensor targets(long length) {
        return logProbs.machine().arange(length);
    }

    /** One for each of the batch; infinite where the input is too short. */
    Tensor losses() {
        Tensor labels = labels();
        Tensor steps = logProbs.gather(2, labels.unsqueeze(0).expand(logProbs.size(0), labels.size(0), labels.size(1)));
        Tensor mayJump = mayJump(labels);
        Tensor isStart = logProbs.machine()
                .arange(labels.size(1))
                .lt(targetLengths.gt(0).to(DType.INT64).add(1).unsqueeze(1));
        Tensor reached = steps.select(0, 0).maskedFill(isStart.logicalNot(), NOTHING);
        for (long time = 1; time < logProbs.size(0); time++) {
            Tensor next = next(reached, mayJump).add(steps.select(0, time));
            reached = next.where(inputLengths.gt(time).unsqueeze(1), reached);
        }
        Tensor last = targetLengths.mul(2).unsqueeze(1);
        Tensor atBlank = reached.gather(1, last).squeeze(1);
        Tensor atLabel = reached.gather(1, last.sub(1).clampMin(0)).squeeze(1).maskedFill(targetLengths.eq(0), NOTHING);
        Tensor losses = atBlank.logaddexp(atLabel).neg();
        return losses.maskedFill(losses.gt(-NOTHING / 2), Double.POSITIVE_INFINITY)
                .add(normalization());
    }

    /** Blanks before, between and behind the targets; blanks also where a target has ended. */
    private Tensor labels() {
        long length = targets.size(1);
        Tensor isBehind = targets(length).ge(targetLengths.unsqueeze(1));
        Tensor known = targets.maskedFill(isBehind, blank);
        Tensor between = Tensors.stack(List.of(known.fullLike(blank), known), 2).flatten(1, 2);
        return Tensors.cat(List.of(between, targets.newFull(blank, targets.size(0), 1)), 1);
    }

    /** Whether a label may follow the one before the last: not a blank, and not the same. */
    private Tensor mayJump(Tensor labels) {
        Tensor earlier = labels.pad(blank, 2, 0).narrow(1, 0, labels.size(1));
        return labels.ne(blank).logicalAnd(labels.ne(earlier));
    }

    private static Tensor next(Tensor reached, Tensor mayJump) {
        long length = reached.size(1);
        Tensor one = reached.pad(NOTHING, 1, 0).narrow(1, 0, length);
        Tensor two = reached.pad(NOTHING, 2, 0).narrow(1, 0, length).maskedFill(mayJump.logicalNot(), NOTHING);
        return reached.logaddexp(one).logaddexp(two);
    }

    /** Zero, whose gradient is PyTorch's assumption that the input is normalized. */
    private Tensor normalization() {
        Tensor isInside = logProbs.machine()
                .arange(logProbs.size(0))
                .unsqueeze(1)
                .lt(inputLengths.unsqueeze(0))
                .unsqueeze(2);
        Tensor total = logProbs.exp().maskedFill(isInside.logicalNot(), 0).sum(0, 2);
        return total.sub(total.detach());
    }
}
