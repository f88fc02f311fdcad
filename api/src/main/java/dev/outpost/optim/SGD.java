package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import java.util.List;

/** Stochastic gradient descent, with momentum if asked for (torch.optim.SGD). */
public final class SGD extends Optimizer {
    private static final String MOMENTUM_BUFFER = "momentum_buffer";

    private double momentum;
    private double dampening;
    private boolean nesterov;
    private boolean maximize;

    public SGD(List<Parameter> parameters, double learningRate) {
        super(parameters, learningRate, 0);
    }

    public SGD(ParameterGroup... groups) {
        super(List.of(groups));
    }

    public SGD momentum(double newMomentum) {
        momentum = Settings.atLeastZero("momentum", newMomentum);
        if (momentum > 0) {
            remember(MOMENTUM_BUFFER, 0);
        } else {
            forget(MOMENTUM_BUFFER);
        }
        return this;
    }

    /** How much less than 1 a gradient weighs in the momentum, after the first. */
    public SGD dampening(double newDampening) {
        dampening = newDampening;
        return this;
    }

    /** Looks ahead along the momentum; only without dampening. */
    public SGD nesterov() {
        nesterov = true;
        return this;
    }

    public SGD weightDecay(double weightDecay) {
        groups().forEach(group -> group.weightDecay(weightDecay));
        return this;
    }

    /** Climbs instead of descending. */
    public SGD maximize() {
        maximize = true;
        return this;
    }

    @Override
    protected Object settings() {
        return List.of(momentum, dampening, nesterov, maximize);
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor ascent = maximize ? gradient.neg() : gradient;
        Tensor decayed = group.weightDecay() == 0 ? ascent : ascent.add(parameter, group.weightDecay());
        Tensor direction = momentum == 0 ? decayed : withMomentum(state, decayed);
        parameter.add_(direction, state.number(List.of(group, "rate"), step -> -group.learningRate()));
    }

    /** The buffer begins as zeros, and the first gradient is not damped: as PyTorch, which begins with a copy of it. */
    private Tensor withMomentum(ParameterState state, Tensor gradient) {
        requireNesterovFits();
        Tensor buffer = state.tensor(MOMENTUM_BUFFER);
        Number damping = state.number(List.of(this, "damping"), step -> step == 1 ? 1.0 : 1 - dampening);
        buffer.mul_(momentum).add_(dampening == 0 ? gradient : gradient.mul(damping));
        return nesterov ? gradient.add(buffer, momentum) : buffer;
    }

    private void requireNesterovFits() {
        if (nesterov && dampening != 0) {
            throw Settings.problem("nesterov needs a dampening of 0, got " + dampening);
        }
    }
}
