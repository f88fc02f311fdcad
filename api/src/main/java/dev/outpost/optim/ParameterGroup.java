package dev.outpost.optim;

import dev.outpost.client.Arguments;
import dev.outpost.nn.Parameter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Parameters that an optimizer treats alike. Learning rate, weight decay, betas and eps may change between steps. Not
 * thread-safe.
 */
public final class ParameterGroup {
    private final List<Parameter> parameters;
    private double learningRate;
    private double weightDecay;
    private Optional<Betas> betas = Optional.empty();
    private OptionalDouble eps = OptionalDouble.empty();
    private OptionalDouble base = OptionalDouble.empty();

    public ParameterGroup(List<Parameter> parameters, double learningRate, double weightDecay) {
        this.parameters = List.copyOf(Arguments.requiredEach(parameters, "the parameters"));
        learningRate(learningRate);
        weightDecay(weightDecay);
    }

    public List<Parameter> parameters() {
        return parameters;
    }

    public double learningRate() {
        return learningRate;
    }

    public void learningRate(double newLearningRate) {
        learningRate = Settings.atLeastZero("learning rate", newLearningRate);
    }

    public double weightDecay() {
        return weightDecay;
    }

    public void weightDecay(double newWeightDecay) {
        weightDecay = Settings.atLeastZero("weight decay", newWeightDecay);
    }

    /** The betas of this group, or nothing where the optimizer's count. */
    public Optional<Betas> betas() {
        return betas;
    }

    /** Betas for these parameters in place of the optimizer's, which must have some: see {@link Adam#betas}. */
    public ParameterGroup betas(double first, double second) {
        betas = Optional.of(new Betas(first, second));
        return this;
    }

    /** The eps of this group, or nothing where the optimizer's counts. */
    public OptionalDouble eps() {
        return eps;
    }

    /** An eps for these parameters in place of the optimizer's, which must have one: see {@link Adam#eps}. */
    public ParameterGroup eps(double newEps) {
        eps = OptionalDouble.of(Settings.atLeastZero("eps", newEps));
        return this;
    }

    /** All but the learning rate, to be compared. */
    Object settings() {
        return List.of(weightDecay, betas, eps);
    }

    /** The learning rate that schedules start from: the one that the first of them found. */
    double baseLearningRate() {
        if (base.isEmpty()) {
            base = OptionalDouble.of(learningRate);
        }
        return base.getAsDouble();
    }

    void baseLearningRate(double learningRateOfSchedules) {
        base = OptionalDouble.of(learningRateOfSchedules);
    }
}
