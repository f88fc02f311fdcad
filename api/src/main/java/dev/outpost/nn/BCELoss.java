package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Binary cross entropy of probabilities (torch.nn.BCELoss); see {@link
 * Functional#binaryCrossEntropy(Tensor, Tensor, Tensor, Reduction)}.
 */
public final class BCELoss extends Loss {
    private final @Nullable Buffer weight;

    /** Averages the losses. */
    public BCELoss() {
        this(Reduction.MEAN);
    }

    public BCELoss(Reduction reduction) {
        this(null, reduction);
    }

    /** @param weight scales the losses and broadcasts to them, or null; it becomes the buffer {@code weight} */
    public BCELoss(@Nullable Tensor weight, Reduction reduction) {
        super(reduction);
        this.weight = buffer("weight", weight);
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.binaryCrossEntropy(input, target, values(weight), reduction());
    }
}
