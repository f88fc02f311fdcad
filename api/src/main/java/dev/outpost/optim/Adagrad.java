package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/** Divides gradients by the root of the sum of their squares (Duchi et al., 2011; torch.optim.Adagrad). */
public final class Adagrad extends ConfiguredOptimizer<Adagrad> {
    private static final String SUM = "sum";
    private static final Map<String, Double> DEFAULTS =
            Map.of("lr_decay", 0.0, "initial_accumulator_value", 0.0, Options.EPS, 1e-10, Options.MAXIMIZE, 0.0);

    /** Uses PyTorch's learning rate, 1e-2. */
    public Adagrad(List<Parameter> parameters) {
        this(parameters, 1e-2);
    }

    /** Uses no decay of the learning rate and an eps of 1e-10. */
    public Adagrad(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public Adagrad(ParameterGroup... groups) {
        super(groups);
    }

    /**
     * Sets the decay of the learning rate: step n uses the learning rate over 1 + (n - 1) · decay. A group may have
     * its own value.
     */
    public Adagrad learningRateDecay(double decay) {
        return set("lr_decay", HyperparameterChecks.atLeastZero("learning rate decay", decay));
    }

    /** Sets the number that keeps the denominator from zero; the default is 1e-10. A group may have its own value. */
    public Adagrad eps(double eps) {
        return set(Options.EPS, HyperparameterChecks.atLeastZero("eps", eps));
    }

    @Override
    protected Map<String, Double> defaults() {
        return DEFAULTS;
    }

    @Override
    protected Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        return Map.of(SUM, new Remembered(option(group, "initial_accumulator_value"), shape));
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor decayed = decayed(group, parameter, gradient);
        Tensor sum = state.tensor(SUM);
        sum.addcmul_(decayed, decayed, 1);
        Number rate = state.number(
                List.of(group, "rate"), step -> -(group.learningRate() / (1 + (step - 1) * option(group, "lr_decay"))));
        parameter.addcdiv_(decayed, sum.sqrt().add(option(group, Options.EPS)), rate);
    }
}
