package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * Binary cross entropy of sigmoid(input), computed without overflow (torch.nn.BCEWithLogitsLoss); see {@link
 * Functional#binaryCrossEntropyWithLogits(Tensor, Tensor, Tensor, Tensor, Reduction)}.
 */
public final class BCEWithLogitsLoss extends Loss {
    private final @Nullable Buffer weight;
    private final @Nullable Buffer posWeight;

    /** Averages the losses. */
    public BCEWithLogitsLoss() {
        this(Reduction.MEAN);
    }

    public BCEWithLogitsLoss(Reduction reduction) {
        this(null, reduction, null);
    }

    /**
     * Creates a loss with weights, in PyTorch's order.
     *
     * @param weight the scale of the losses, which broadcasts to them, or null; it becomes the buffer {@code weight}
     * @param reduction the reduction of the single losses
     * @param posWeight the scale of the losses of positive targets, or null; it becomes the buffer {@code pos_weight}
     */
    public BCEWithLogitsLoss(@Nullable Tensor weight, Reduction reduction, @Nullable Tensor posWeight) {
        super(reduction);
        this.weight = buffer("weight", weight);
        this.posWeight = buffer("pos_weight", posWeight);
    }

    /**
     * Returns the loss of logits and targets in [0, 1], of one shape.
     *
     * {@snippet file="ModuleExamplesTest.java" region="bceWithLogitsLoss"}
     */
    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.binaryCrossEntropyWithLogits(input, target, values(weight), values(posWeight), reduction());
    }
}
