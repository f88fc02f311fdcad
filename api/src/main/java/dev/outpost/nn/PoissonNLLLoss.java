package dev.outpost.nn;

/** The negative log likelihood of counts (torch.nn.PoissonNLLLoss); see {@link Functional#poissonNllLoss}. */
public final class PoissonNLLLoss extends FunctionLoss {
    /** Takes logarithms as inputs, leaves out the approximation of log(target!), and averages the losses. */
    public PoissonNLLLoss() {
        this(true, false, 1e-8, Reduction.MEAN);
    }

    /** Uses PyTorch's defaults, except for the reduction. */
    public PoissonNLLLoss(Reduction reduction) {
        this(true, false, 1e-8, reduction);
    }

    /**
     * Creates a loss with all of its settings.
     *
     * @param logInput true if the input is the logarithm of the rate
     * @param full true if Stirling's approximation of log(target!) is added
     * @param eps added to a rate before its logarithm is taken
     * @param reduction the reduction of the single losses
     */
    public PoissonNLLLoss(boolean logInput, boolean full, double eps, Reduction reduction) {
        super(
                reduction,
                (input, target, reduce) -> Functional.poissonNllLoss(input, target, logInput, full, eps, reduce));
    }
}
