package dev.outpost.optim;

/**
 * How long Adam's averages remember.
 *
 * @param first of the gradient's average, in [0, 1)
 * @param second of the average of its square, in [0, 1)
 */
public record Betas(double first, double second) {
    public Betas {
        HyperparameterChecks.fraction("first beta", first);
        HyperparameterChecks.fraction("second beta", second);
    }
}
