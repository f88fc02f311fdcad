package dev.outpost.optim;

/**
 * The decays of Adam's averages.
 *
 * @param first the decay of the gradient's average, in [0, 1)
 * @param second the decay of the average of its square, in [0, 1)
 */
public record Betas(double first, double second) {
    public Betas {
        HyperparameterChecks.fraction("first beta", first);
        HyperparameterChecks.fraction("second beta", second);
    }
}
