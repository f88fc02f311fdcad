package dev.outpost.nn;

import dev.outpost.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The negative logarithm of the target's softmax (torch.nn.CrossEntropyLoss); see {@link
 * Functional#crossEntropy(Tensor, Tensor, Tensor, long, Reduction, double)} for shapes and formulas.
 */
public final class CrossEntropyLoss extends Loss {
    private final @Nullable Buffer weight;
    private final long ignoreIndex;
    private final double labelSmoothing;

    /** Averages the losses, without weights. Ignores targets of class -100. */
    public CrossEntropyLoss() {
        this(Reduction.MEAN);
    }

    public CrossEntropyLoss(Reduction reduction) {
        this(null, Functional.NO_INDEX, reduction, 0);
    }

    /**
     * Creates a loss with all of its settings.
     *
     * @param weight one for each class, {@code [classes]}, or null; it becomes the buffer {@code weight}
     * @param ignoreIndex the class that is ignored; PyTorch's default is -100
     * @param reduction the reduction of the single losses
     * @param labelSmoothing the share of the target that is spread evenly over all classes, in [0, 1]
     */
    public CrossEntropyLoss(@Nullable Tensor weight, long ignoreIndex, Reduction reduction, double labelSmoothing) {
        super(reduction);
        this.weight = buffer("weight", weight);
        this.ignoreIndex = ignoreIndex;
        this.labelSmoothing = labelSmoothing;
    }

    /**
     * Returns the loss of logits {@code [batch, classes]} and classes {@code [batch]} (integers) or probabilities {@code [batch,
     * classes]}.
     *
     * {@snippet file="ModuleExamplesTest.java" region="crossEntropyLoss"}
     */
    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Functional.crossEntropy(input, target, values(weight), ignoreIndex, reduction(), labelSmoothing);
    }
}
