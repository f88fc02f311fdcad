package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/** Stochastic gradient descent, optionally with momentum (torch.optim.SGD). */
public final class SGD extends ConfiguredOptimizer<SGD> {
    private static final String MOMENTUM_BUFFER = "momentum_buffer";
    private static final Map<String, Double> DEFAULTS =
            Map.of(Options.MOMENTUM, 0.0, "dampening", 0.0, "nesterov", 0.0, Options.MAXIMIZE, 0.0);

    /** Uses PyTorch's learning rate, 1e-3. */
    public SGD(List<Parameter> parameters) {
        this(parameters, 1e-3);
    }

    /**
     * Puts all parameters into one group. Without momentum, a step computes {@code parameter - learningRate · gradient}.
     *
     * {@snippet file="TrainingExamplesTest.java" region="sgd"}
     */
    public SGD(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public SGD(ParameterGroup... groups) {
        super(groups);
    }

    /** Sets the momentum; the default is 0. A group may have its own value. */
    public SGD momentum(double momentum) {
        return set("momentum", HyperparameterChecks.atLeastZero("momentum", momentum));
    }

    /** Sets the dampening: each gradient after the first has the weight 1 - dampening in the momentum. */
    public SGD dampening(double dampening) {
        return set("dampening", dampening);
    }

    /** Uses Nesterov momentum; only without dampening. */
    public SGD nesterov() {
        return set("nesterov", 1);
    }

    @Override
    protected Map<String, Double> defaults() {
        return DEFAULTS;
    }

    @Override
    protected Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        return option(group, Options.MOMENTUM) > 0 ? zeros(shape, MOMENTUM_BUFFER) : Map.of();
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor decayed = decayed(group, parameter, gradient);
        Tensor direction = option(group, Options.MOMENTUM) == 0 ? decayed : withMomentum(group, state, decayed);
        parameter.add_(direction, state.number(List.of(group, "rate"), step -> -group.learningRate()));
    }

    /**
     * Updates the momentum buffer. It begins as zeros, and the first gradient is not dampened. PyTorch begins with a
     * copy of the gradient, which gives the same result.
     */
    private Tensor withMomentum(ParameterGroup group, ParameterState state, Tensor gradient) {
        double momentum = option(group, Options.MOMENTUM);
        double dampening = option(group, "dampening");
        boolean nesterov = isSet(group, "nesterov");
        if (nesterov && dampening != 0) {
            throw HyperparameterChecks.problem("nesterov needs a dampening of 0, got " + dampening);
        }
        Tensor buffer = state.tensor(MOMENTUM_BUFFER);
        Number damping = state.number(List.of(group, "damping"), step -> step == 1 ? 1.0 : 1 - dampening);
        buffer.mul_(momentum).add_(dampening == 0 ? gradient : gradient.mul(damping));
        return nesterov ? gradient.add(buffer, momentum) : buffer;
    }
}
