package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Divides gradients by the root of their running mean square (torch.optim.RMSprop). */
public final class RMSprop extends ConfiguredOptimizer<RMSprop> {
    private static final String SQUARES = "square_avg";
    private static final String AVERAGE = "grad_avg";
    private static final String MOMENTUM_BUFFER = "momentum_buffer";
    private static final Map<String, Double> DEFAULTS =
            Map.of("alpha", 0.99, Options.EPS, 1e-8, Options.MOMENTUM, 0.0, "centered", 0.0, Options.MAXIMIZE, 0.0);

    /** Uses PyTorch's learning rate, 1e-2. */
    public RMSprop(List<Parameter> parameters) {
        this(parameters, 1e-2);
    }

    /** Uses a decay of the mean square (alpha) of 0.99, an eps of 1e-8 and no momentum. */
    public RMSprop(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public RMSprop(ParameterGroup... groups) {
        super(groups);
    }

    /** Sets the decay of the mean square; the default is 0.99. A group may have its own value. */
    public RMSprop alpha(double alpha) {
        return set("alpha", HyperparameterChecks.atLeastZero("alpha", alpha));
    }

    /** Sets the number that keeps the denominator from zero; the default is 1e-8. A group may have its own value. */
    public RMSprop eps(double eps) {
        return set(Options.EPS, HyperparameterChecks.atLeastZero("eps", eps));
    }

    /** Sets the momentum; the default is 0. A group may have its own value. */
    public RMSprop momentum(double momentum) {
        return set("momentum", HyperparameterChecks.atLeastZero("momentum", momentum));
    }

    /** Subtracts the running mean before squaring, which gives an estimate of the variance. */
    public RMSprop centered() {
        return set("centered", 1);
    }

    @Override
    protected Map<String, Double> defaults() {
        return DEFAULTS;
    }

    @Override
    protected Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        List<String> names = new ArrayList<>(List.of(SQUARES));
        if (isSet(group, "centered")) {
            names.add(AVERAGE);
        }
        if (option(group, Options.MOMENTUM) > 0) {
            names.add(MOMENTUM_BUFFER);
        }
        return zeros(shape, names.toArray(String[]::new));
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor decayed = decayed(group, parameter, gradient);
        double alpha = option(group, "alpha");
        double momentum = option(group, Options.MOMENTUM);
        Tensor squares = state.tensor(SQUARES);
        squares.mul_(alpha).addcmul_(decayed, decayed, 1 - alpha);
        Tensor denominator = (isSet(group, "centered") ? variance(alpha, state, squares, decayed) : squares)
                .sqrt()
                .add(option(group, Options.EPS));
        Number rate = state.number(List.of(group, "rate"), step -> -group.learningRate());
        if (momentum == 0) {
            parameter.addcdiv_(decayed, denominator, rate);
        } else {
            Tensor buffer = state.tensor(MOMENTUM_BUFFER);
            buffer.mul_(momentum).addcdiv_(decayed, denominator, 1);
            parameter.add_(buffer, rate);
        }
    }

    private static Tensor variance(double alpha, ParameterState state, Tensor squares, Tensor gradient) {
        Tensor average = state.tensor(AVERAGE);
        average.lerp_(gradient, 1 - alpha);
        return squares.addcmul(average, average, -1);
    }
}
