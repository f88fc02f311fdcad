package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/** Gradient descent that keeps the mean of its parameters as {@code ax} (Polyak and Juditsky, 1992; torch.optim.ASGD). */
public final class ASGD extends ConfiguredOptimizer<ASGD> {
    private static final String MEAN = "ax";
    private static final Map<String, Double> DEFAULTS =
            Map.of("lambd", 1e-4, "alpha", 0.75, "t0", 1e6, Options.MAXIMIZE, 0.0);

    /** Uses PyTorch's learning rate, 1e-2. */
    public ASGD(List<Parameter> parameters) {
        this(parameters, 1e-2);
    }

    /** Uses a decay term (lambd) of 1e-4, and begins to average after 1,000,000 steps (t0). */
    public ASGD(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public ASGD(ParameterGroup... groups) {
        super(groups);
    }

    /**
     * Sets how much parameters shrink in each step, as a factor of the learning rate; the default is 1e-4. A group
     * may have its own value.
     */
    public ASGD lambd(double lambd) {
        return set("lambd", HyperparameterChecks.atLeastZero("lambd", lambd));
    }

    /** Sets the power by which the learning rate falls; the default is 0.75. A group may have its own value. */
    public ASGD alpha(double alpha) {
        return set("alpha", HyperparameterChecks.atLeastZero("alpha", alpha));
    }

    /** Sets the step from which parameters are averaged; the default is 1e6. A group may have its own value. */
    public ASGD t0(double t0) {
        return set("t0", HyperparameterChecks.atLeastZero("t0", t0));
    }

    @Override
    protected Map<String, Double> defaults() {
        return DEFAULTS;
    }

    @Override
    protected Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        return zeros(shape, MEAN);
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor decayed = decayed(group, parameter, gradient);
        parameter.mul_(state.number(List.of(group, "shrink"), step -> 1 - option(group, "lambd") * rate(group, step)));
        parameter.add_(decayed, state.number(List.of(group, "rate"), step -> -rate(group, step)));
        Number share = state.number(List.of(group, "share"), step -> 1 / Math.max(1, step - 1 - option(group, "t0")));
        state.tensor(MEAN).lerp_(parameter, share);
    }

    private double rate(ParameterGroup group, long step) {
        double rate = group.learningRate();
        return rate / Math.pow(1 + option(group, "lambd") * rate * (step - 1), option(group, "alpha"));
    }
}
