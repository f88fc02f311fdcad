package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/** The margins between the target class and all others (torch.nn.MultiMarginLoss); see {@link Functional#multiMarginLoss}. */
public final class MultiMarginLoss extends Loss {
    private final double p;
    private final double margin;
    private final @Nullable Buffer weight;

    /** Uses a margin of 1 and p = 1, and averages the losses. */
    public MultiMarginLoss() {
        this(Reduction.MEAN);
    }

    public MultiMarginLoss(Reduction reduction) {
        this(1, 1, null, reduction);
    }

    /**
     * Creates a loss with all of its settings.
     *
     * @param p the power of each term
     * @param margin the intended distance of the target's score above the others
     * @param weight one for each class, {@code [classes]}, or null; it becomes the buffer {@code weight}
     * @param reduction the reduction of the single losses
     */
    public MultiMarginLoss(double p, double margin, @Nullable Tensor weight, Reduction reduction) {
        super(reduction);
        this.p = p;
        this.margin = margin;
        this.weight = buffer("weight", weight);
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.multiMarginLoss(input, target, p, margin, values(weight), reduction());
    }
}
