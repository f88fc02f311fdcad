package dev.outpost.optim;

import dev.outpost.client.Arguments;
import dev.outpost.nn.Parameter;
import java.util.List;
import java.util.OptionalDouble;

/** Parameters that an optimizer treats alike. The learning rate and the weight decay may change between steps. */
public final class ParameterGroup {
    private final List<Parameter> parameters;
    private double learningRate;
    private double weightDecay;
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
