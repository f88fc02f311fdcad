package dev.outpost.optim;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.nn.Parameter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Parameters that an optimizer treats alike. The learning rate, weight decay, betas and eps may change between steps. Not thread-safe. */
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

    /** Returns the betas of this group; empty if the optimizer's betas apply. */
    public Optional<Betas> betas() {
        return options.containsKey(Options.BETA1)
                ? Optional.of(new Betas(options.get(Options.BETA1), options.get(Options.BETA2)))
                : Optional.empty();
    }

    /** Sets betas for these parameters instead of the optimizer's. The optimizer must have betas: see {@link Adam#betas}. */
    public ParameterGroup betas(double first, double second) {
        Betas checked = new Betas(first, second);
        options.put(Options.BETA1, checked.first());
        options.put(Options.BETA2, checked.second());
        return this;
    }

    /** Returns the eps of this group; empty if the optimizer's eps applies. */
    public OptionalDouble eps() {
        return options.containsKey(Options.EPS) ? OptionalDouble.of(options.get(Options.EPS)) : OptionalDouble.empty();
    }

    /**
     * Sets an eps for these parameters instead of the optimizer's. The optimizer must have an eps: see {@link
     * Adam#eps}.
     */
    public ParameterGroup eps(double newEps) {
        options.put(Options.EPS, HyperparameterChecks.atLeastZero("eps", newEps));
        return this;
    }

    /**
     * Sets an option of the optimizer for these parameters only, by PyTorch's name, such as {@code momentum}. {@link Optimizer#options}
     * lists the options. Flags are 1 or 0.
     */
    public ParameterGroup option(String name, double value) {
        options.put(ArgumentChecks.required(name, "the option"), value);
        return this;
    }

    /** Returns the options that this group sets. */
    public Map<String, Double> options() {
        return Collections.unmodifiableMap(options);
    }

    /** Returns all settings except the learning rate, for comparison. */
    Object settings() {
        return List.of(weightDecay, Map.copyOf(options));
    }

    /** Returns the learning rate from which schedules start: the one that the first schedule found. */
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
