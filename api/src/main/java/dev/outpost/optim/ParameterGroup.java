package dev.outpost.optim;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.nn.Parameter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private final Map<String, Double> options = new LinkedHashMap<>();
    private OptionalDouble base = OptionalDouble.empty();

    public ParameterGroup(List<Parameter> parameters, double learningRate, double weightDecay) {
        this.parameters = List.copyOf(ArgumentChecks.requiredEach(parameters, "the parameters"));
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
        learningRate = HyperparameterChecks.atLeastZero("learning rate", newLearningRate);
    }

    public double weightDecay() {
        return weightDecay;
    }

    public void weightDecay(double newWeightDecay) {
        weightDecay = HyperparameterChecks.atLeastZero("weight decay", newWeightDecay);
    }

    /** The betas of this group, or nothing where the optimizer's count. */
    public Optional<Betas> betas() {
        return options.containsKey(Options.BETA1)
                ? Optional.of(new Betas(options.get(Options.BETA1), options.get(Options.BETA2)))
                : Optional.empty();
    }

    /** Betas for these parameters in place of the optimizer's, which must have some: see {@link Adam#betas}. */
    public ParameterGroup betas(double first, double second) {
        Betas checked = new Betas(first, second);
        options.put(Options.BETA1, checked.first());
        options.put(Options.BETA2, checked.second());
        return this;
    }

    /** The eps of this group, or nothing where the optimizer's counts. */
    public OptionalDouble eps() {
        return options.containsKey(Options.EPS) ? OptionalDouble.of(options.get(Options.EPS)) : OptionalDouble.empty();
    }

    /** An eps for these parameters in place of the optimizer's, which must have one: see {@link Adam#eps}. */
    public ParameterGroup eps(double newEps) {
        options.put(Options.EPS, HyperparameterChecks.atLeastZero("eps", newEps));
        return this;
    }

    /**
     * An option of the optimizer's for these parameters alone, by PyTorch's name, such as {@code momentum}; {@link
     * Optimizer#options} tells which there are. Flags are 1 or 0.
     */
    public ParameterGroup option(String name, double value) {
        options.put(ArgumentChecks.required(name, "the option"), value);
        return this;
    }

    /** The options of this group alone. */
    public Map<String, Double> options() {
        return Collections.unmodifiableMap(options);
    }

    /** All but the learning rate, to be compared. */
    Object settings() {
        return List.of(weightDecay, Map.copyOf(options));
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
