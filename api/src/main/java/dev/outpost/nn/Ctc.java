package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.functions.LibraryFunction;
import dev.outpost.protocol.op.IndexNames;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import org.jspecify.annotations.Nullable;

/**
 * The connectionist temporal classification loss (Graves et al. 2006), by the forward recursion. The gradient uses the forward and the
 * backward recursion. Like PyTorch's, it assumes that the input is normalized.
 */
final class Ctc extends LibraryFunction {
    private static final String OP = "ctc_loss";

    private final long blank;
    private final boolean zeroInfinity;

    private Ctc(long blank, boolean zeroInfinity) {
        this.blank = blank;
        this.zeroInfinity = zeroInfinity;
    }

    /**
     * Returns a loss for each element of the batch. If the input is too short, it is infinite, or 0 with {@code zeroInfinity}.
     *
     * @param logProbs {@code [time, batch, classes]}
     * @param targets {@code [batch, length]}, or all targets concatenated
     */
    static Tensor losses(
            Tensor logProbs,
            Tensor targets,
            Tensor inputLengths,
            Tensor targetLengths,
            long blank,
            boolean zeroInfinity) {
        require(logProbs, targets, inputLengths, targetLengths, blank);
        long batch = logProbs.size(1);
        Tensor lengths = lengths("target length", targetLengths.view(batch), targets.size(-1));
        Tensor whole = targets.to(DType.INT64);
        return new Ctc(blank, zeroInfinity)
                .apply(
                        logProbs,
                        targets.dim() == 2 ? whole : padded(whole, lengths),
                        lengths("input length", inputLengths.view(batch), logProbs.size(0)),
                        lengths)[0];
    }

    /** Returns the lengths, after a check on the machine that they are not negative and not above {@code max}. */
    private static Tensor lengths(String what, Tensor lengths, long max) {
        Tensor known = lengths.machine().arange(max + 1);
        IndexNames names = new IndexNames(OP, what, "lengths from 0 on", "");
        return Dispatch.apply(new IndexSelect(0, names), known, lengths.to(DType.INT64));
    }

    private static void requireIntegers(String what, Tensor given) {
        if (!given.dtype().isIntegral()) {
            throw new OpException(OP, what + " must be integers, got " + given.type());
        }
    }

    private static void require(
            Tensor logProbs, Tensor targets, Tensor inputLengths, Tensor targetLengths, long blank) {
        if (logProbs.dim() != 3 || !logProbs.dtype().isFloating()) {
            throw new OpException(OP, "floating [time, batch, classes] are needed, got " + logProbs.type());
        }
        requireIntegers("the targets", targets);
        requireIntegers("the input lengths", inputLengths);
        requireIntegers("the target lengths", targetLengths);
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
        if (targets.dim() < 1 || targets.dim() > 2 || targets.dim() == 2 && targets.size(0) != batch) {
            throw new OpException(
                    OP,
                    "targets are [batch, length] or one behind the other, got " + targets.shape() + " for "
                            + logProbs.shape());
        }
    }

    /** Pads concatenated targets. Reads the largest length, because the shape depends on it. */
    private static Tensor padded(Tensor concatenated, Tensor lengths) {
        long longest = Math.max(1, lengths.numel() == 0 ? 1 : lengths.max().itemLong());
        Tensor starts = lengths.cumsum(0).sub(lengths).unsqueeze(1);
        Tensor positions =
                starts.add(lengths.machine().arange(longest)).clampMax(Math.max(0, concatenated.numel() - 1));
        return concatenated.numel() == 0 ? positions.mul(0) : concatenated.take(positions);
    }

    private CtcLattice lattice(Tensor logProbs, Tensor targets, Tensor inputLengths, Tensor targetLengths) {
        return new CtcLattice(logProbs, targets, inputLengths, targetLengths, blank);
    }

    @Override
    protected Tensor[] forward(Context context, Tensor... inputs) {
        CtcLattice lattice = lattice(inputs[0], inputs[1], inputs[2], inputs[3]);
        Tensor alphas = lattice.alphas();
        context.save(inputs[0], inputs[1], inputs[2], inputs[3], alphas);
        Tensor losses = lattice.losses(alphas);
        return new Tensor[] {
            losses.maskedFill(CtcLattice.infiniteMask(losses), zeroInfinity ? 0 : Double.POSITIVE_INFINITY)
        };
    }

    /** Recomputes the forward recursion if the gradient is recorded to be differentiated itself. */
    @Override
    protected @Nullable Tensor[] backward(Context context, Tensor... gradients) {
        CtcLattice lattice = lattice(context.saved(0), context.saved(1), context.saved(2), context.saved(3));
        Tensor alphas = GradMode.isEnabled() ? lattice.alphas() : context.saved(4);
        Tensor isInfinite = CtcLattice.infiniteMask(lattice.losses(alphas)).view(1, -1, 1);
        Tensor slopes = lattice.slopes(alphas)
                .mul(gradients[0].view(1, -1, 1))
                .maskedFill(isInfinite, zeroInfinity ? 0 : Double.NaN);
        return new Tensor[] {slopes, null, null, null};
    }
}
