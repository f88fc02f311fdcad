package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/** The mean over the classes of binary cross entropies of logits (torch.nn.MultiLabelSoftMarginLoss). */
public final class MultiLabelSoftMarginLoss extends Loss {
    private final @Nullable Buffer weight;

    /** Averages the losses. */
    public MultiLabelSoftMarginLoss() {
        this(Reduction.MEAN);
    }

    public MultiLabelSoftMarginLoss(Reduction reduction) {
        this(null, reduction);
    }

    /** @param weight one for each class, {@code [classes]}, or null; it becomes the buffer {@code weight} */
    public MultiLabelSoftMarginLoss(@Nullable Tensor weight, Reduction reduction) {
        super(reduction);
        this.weight = buffer("weight", weight);
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.multilabelSoftMarginLoss(input, target, values(weight), reduction());
    }
}
