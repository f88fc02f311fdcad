package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/**
 * Divides gradients by their running size, and multiplies them by the running size of the steps (Zeiler, 2012;
 * torch.optim.Adadelta).
 */
public final class Adadelta extends ConfiguredOptimizer<Adadelta> {
    private static final String SQUARES = "square_avg";
    private static final String STEPS = "acc_delta";
    private static final Map<String, Double> DEFAULTS = Map.of("rho", 0.9, Options.EPS, 1e-6, Options.MAXIMIZE, 0.0);

    /** Uses PyTorch's learning rate, 1. */
    public Adadelta(List<Parameter> parameters) {
        this(parameters, 1);
    }

    /** Uses a decay of the running squares (rho) of 0.9 and an eps of 1e-6. */
    public Adadelta(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public Adadelta(ParameterGroup... groups) {
        super(groups);
    }

    /** Sets the decay of both running means; the default is 0.9. A group may have its own value. */
    public Adadelta rho(double rho) {
        return set("rho", HyperparameterChecks.fraction("rho", rho));
    }

    /** Sets the number that keeps the denominator from zero; the default is 1e-6. A group may have its own value. */
    public Adadelta eps(double eps) {
        return set(Options.EPS, HyperparameterChecks.atLeastZero("eps", eps));
    }

    @Override
    protected Map<String, Double> defaults() {
        return DEFAULTS;
    }

    @Override
    protected Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        return zeros(shape, SQUARES, STEPS);
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor decayed = decayed(group, parameter, gradient);
        double rho = option(group, "rho");
        double eps = option(group, Options.EPS);
        Tensor squares = state.tensor(SQUARES);
        squares.mul_(rho).addcmul_(decayed, decayed, 1 - rho);
        Tensor steps = state.tensor(STEPS);
        Tensor change = steps.add(eps).sqrt().div(squares.add(eps).sqrt()).mul(decayed);
        steps.mul_(rho).addcmul_(change, change, 1 - rho);
        parameter.add_(change, state.number(List.of(group, "rate"), step -> -group.learningRate()));
    }
}
