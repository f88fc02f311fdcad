package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The negative log probability of the target class, from {@link LogSoftmax} (torch.nn.NLLLoss); see {@link
 * Functional#nllLoss(Tensor, Tensor, Tensor, long, Reduction)}.
 */
public final class NLLLoss extends Loss {
    private final @Nullable Buffer weight;
    private final long ignoreIndex;

    /** Averages the losses, without weights. Ignores targets of class -100. */
    public NLLLoss() {
        this(Reduction.MEAN);
    }

    public NLLLoss(Reduction reduction) {
        this(null, Functional.NO_INDEX, reduction);
    }

    /**
     * Creates a loss with all of its settings.
     *
     * @param weight one for each class, {@code [classes]}, or null; it becomes the buffer {@code weight}
     * @param ignoreIndex the class that is ignored; PyTorch's default is -100
     * @param reduction the reduction of the single losses
     */
    public NLLLoss(@Nullable Tensor weight, long ignoreIndex, Reduction reduction) {
        super(reduction);
        this.weight = buffer("weight", weight);
        this.ignoreIndex = ignoreIndex;
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.nllLoss(input, target, values(weight), ignoreIndex, reduction());
    }
}
