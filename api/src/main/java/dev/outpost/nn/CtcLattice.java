package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.List;

/**
 * The paths of connectionist temporal classification. Each step is at one of the labels, which are the targets with blanks before, between
 * and after them. Logarithms are added in PyTorch's order.
 */
final class CtcLattice {
    /** Stands for the logarithm of 0; finite, so that the difference of two of them is a number. */
    private static final double NOTHING = -1e30;

    private final Tensor logProbs;
    private final Tensor inputLengths;
    private final Tensor targetLengths;
    /** The labels, {@code [batch, labels]}; also blanks after the end of a target. */
    private final Tensor labels;
    /**
     * True if a path may jump to a label from the second-last label: the label is no blank, and differs from the
     * second-last label.
     */
    private final Tensor mayJump;
    /** The logarithms of the labels' own probabilities, {@code [time, batch, labels]}. */
    private final Tensor steps;

    /**
     * @param logProbs {@code [time, batch, classes]}
     * @param targets {@code [batch, length]}
     */
    CtcLattice(Tensor logProbs, Tensor targets, Tensor inputLengths, Tensor targetLengths, long blank) {
        this.logProbs = logProbs;
        this.inputLengths = inputLengths;
        this.targetLengths = targetLengths;
        Tensor isBehind = numbers(targets.size(1)).ge(targetLengths.unsqueeze(1));
        Tensor known = targets.maskedFill(isBehind, blank);
        Tensor between = Tensors.stack(List.of(known.fullLike(blank), known), 2).flatten(1, 2);
        labels = Tensors.cat(List.of(between, targets.newFull(blank, targets.size(0), 1)), 1);
        Tensor earlier = labels.pad(blank, 2, 0).narrow(1, 0, labels.size(1));
        mayJump = labels.ne(blank).logicalAnd(labels.ne(earlier));
        steps = logProbs.gather(2, labels.unsqueeze(0).expand(logProbs.size(0), labels.size(0), labels.size(1)));
    }

    private Tensor numbers(long count) {
        return logProbs.machine().arange(count);
    }

    /** Returns the logarithms of the probabilities of the steps up to each label, {@code [time, batch, labels]}. */
    Tensor alphas() {
        Tensor isStart = numbers(labels.size(1))
                .lt(targetLengths.gt(0).to(DType.INT64).add(1).unsqueeze(1));
        Tensor reached = steps.select(0, 0).maskedFill(isStart.logicalNot(), NOTHING);
        List<Tensor> all = new ArrayList<>(List.of(reached));
        for (long time = 1; time < steps.size(0); time++) {
            Tensor two = earlier(reached, 2).maskedFill(mayJump.logicalNot(), NOTHING);
            Tensor next = added(reached, earlier(reached, 1), two).add(steps.select(0, time));
            reached = next.where(inputLengths.gt(time).unsqueeze(1), reached);
            all.add(reached);
        }
        return Tensors.stack(all, 0);
    }

    /** Returns the logarithms of the probabilities of the steps from each label on, {@code [time, batch, labels]}. */
    Tensor betas() {
        Tensor numbers = numbers(labels.size(1));
        Tensor end = targetLengths.mul(2).unsqueeze(1);
        Tensor isEnd = numbers.eq(end).logicalOr(numbers.eq(end.sub(1)));
        Tensor mayLeave = later(mayJump.to(DType.INT64), 2, 0).ne(0);
        List<Tensor> all = new ArrayList<>();
        Tensor reached = steps.select(0, 0).fullLike(NOTHING);
        for (long time = steps.size(0) - 1; time >= 0; time--) {
            Tensor step = steps.select(0, time);
            Tensor two = later(reached, 2, NOTHING).maskedFill(mayLeave.logicalNot(), NOTHING);
            Tensor before = added(reached, later(reached, 1, NOTHING), two).add(step);
            Tensor isLast = inputLengths.eq(time + 1).unsqueeze(1);
            reached = step.where(isLast.logicalAnd(isEnd), before.maskedFill(isLast, NOTHING));
            all.addFirst(reached);
        }
        return Tensors.stack(all, 0);
    }

    /** Returns the negative logarithms of the probabilities of the whole targets, {@code [batch]}. */
    Tensor losses(Tensor alphas) {
        Tensor last = targetLengths.mul(2).unsqueeze(1);
        Tensor reached = alphas.select(0, -1);
        Tensor atBlank = reached.gather(1, last).squeeze(1);
        Tensor atLabel = reached.gather(1, last.sub(1).clampMin(0)).squeeze(1).maskedFill(targetLengths.eq(0), NOTHING);
        return added(atBlank, atLabel).neg();
    }

    /** Returns true for each loss without a possible path. */
    static Tensor infiniteMask(Tensor losses) {
        return losses.gt(-NOTHING / 2);
    }

    /** Returns the gradients of the losses with respect to {@code logProbs}, on the assumption that these are normalized. */
    Tensor slopes(Tensor alphas) {
        Tensor perBatch = losses(alphas).view(1, labels.size(0), 1);
        Tensor ofPaths =
                byClass(alphas.add(betas())).add(perBatch).sub(logProbs).exp();
        Tensor isOutside =
                numbers(logProbs.size(0)).unsqueeze(1).ge(inputLengths).unsqueeze(2);
        return logProbs.exp().sub(ofPaths).maskedFill(isOutside, 0);
    }

    /** Returns the sums of the probabilities of all labels of a class, from the last label to the first: {@code [time, batch, classes]}. */
    private Tensor byClass(Tensor reached) {
        Tensor sums = logProbs.fullLike(NOTHING);
        for (long label = labels.size(1) - 1; label >= 0; label--) {
            Tensor classes = labels.narrow(1, label, 1).unsqueeze(0).expand(logProbs.size(0), logProbs.size(1), 1);
            Tensor sum = added(sums.gather(2, classes), reached.narrow(2, label, 1));
            sums = sums.scatter(2, classes, sum);
        }
        return sums;
    }

    private static Tensor earlier(Tensor reached, long places) {
        return reached.pad(NOTHING, places, 0).narrow(1, 0, reached.size(1));
    }

    private static Tensor later(Tensor reached, long places, double otherwise) {
        return reached.pad(otherwise, 0, places).narrow(1, places, reached.size(1));
    }

    /** Returns the logarithm of the sum of the numbers whose logarithms are the operands. */
    private static Tensor added(Tensor... logarithms) {
        Tensor largest = logarithms[0].detach();
        for (Tensor each : logarithms) {
            largest = largest.maximum(each.detach());
        }
        Tensor sum = null;
        for (Tensor each : logarithms) {
            Tensor part = each.sub(largest).exp();
            sum = sum == null ? part : sum.add(part);
        }
        return sum.log().add(largest);
    }
}
