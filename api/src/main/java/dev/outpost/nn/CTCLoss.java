package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.client.calls.ArgumentChecks;

/** Connectionist temporal classification (torch.nn.CTCLoss); see {@link Functional#ctcLoss} for shapes and meaning. */
public final class CTCLoss extends Module {
    private final long blank;
    private final Reduction reduction;
    private final boolean zeroInfinity;

    /** Uses class 0 for blank, and the mean over lengths and batch. */
    public CTCLoss() {
        this(0, Reduction.MEAN, false);
    }

    /**
     * Creates a loss with all of its settings.
     *
     * @param blank the class of the blank label
     * @param zeroInfinity true if targets that are longer than their input count as 0, not as infinite
     */
    public CTCLoss(long blank, Reduction reduction, boolean zeroInfinity) {
        this.blank = blank;
        this.reduction = ArgumentChecks.required(reduction, "the reduction");
        this.zeroInfinity = zeroInfinity;
    }

    /** Returns the loss: a scalar unless the reduction is {@link Reduction#NONE}. */
    public Tensor forward(Tensor logProbs, Tensor targets, Tensor inputLengths, Tensor targetLengths) {
        return Functional.ctcLoss(logProbs, targets, inputLengths, targetLengths, blank, reduction, zeroInfinity);
    }
}
