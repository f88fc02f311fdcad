package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import java.util.List;

/** Gradients over the root of their running mean square (torch.optim.RMSprop). */
public final class RMSprop extends Optimizer {
    private static final String SQUARES = "square_avg";
    private static final String AVERAGE = "grad_avg";
    private static final String MOMENTUM_BUFFER = "momentum_buffer";

    private double alpha = 0.99;
    private double eps = 1e-8;
    private double momentum;
    private boolean centered;

    public RMSprop(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public RMSprop(ParameterGroup... groups) {
        super(List.of(groups));
        remember(SQUARES, 0);
    }

    /** How long the mean square remembers; 0.99 unless set. */
    public RMSprop alpha(double newAlpha) {
        alpha = Settings.atLeastZero("alpha", newAlpha);
        return this;
    }

    /** What keeps the denominator from zero; 1e-8 unless set. A group may have its own. */
    public RMSprop eps(double newEps) {
        eps = Settings.atLeastZero("eps", newEps);
        return this;
    }

    public RMSprop momentum(double newMomentum) {
        momentum = Settings.atLeastZero("momentum", newMomentum);
        if (momentum > 0) {
            remember(MOMENTUM_BUFFER, 0);
        } else {
            forget(MOMENTUM_BUFFER);
        }
        return this;
    }

    /** Takes the running mean off before squaring: an estimate of the variance. */
    public RMSprop centered() {
        centered = true;
        remember(AVERAGE, 0);
        return this;
    }

    public RMSprop weightDecay(double weightDecay) {
        groups().forEach(group -> group.weightDecay(weightDecay));
        return this;
    }

    @Override
    protected Object settings() {
        return List.of(alpha, eps, momentum, centered);
    }

    @Override
    protected boolean hasEps() {
        return true;
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor decayed = group.weightDecay() == 0 ? gradient : gradient.add(parameter, group.weightDecay());
        Tensor squares = state.tensor(SQUARES);
        squares.mul_(alpha).addcmul_(decayed, decayed, 1 - alpha);
        Tensor denominator = (centered ? variance(state, squares, decayed) : squares)
                .sqrt()
                .add(group.eps().orElse(eps));
        Number rate = state.number(List.of(group, "rate"), step -> -group.learningRate());
        if (momentum == 0) {
            parameter.addcdiv_(decayed, denominator, rate);
        } else {
            Tensor buffer = state.tensor(MOMENTUM_BUFFER);
            buffer.mul_(momentum).addcdiv_(decayed, denominator, 1);
            parameter.add_(buffer, rate);
        }
    }

    private Tensor variance(ParameterState state, Tensor squares, Tensor gradient) {
        Tensor average = state.tensor(AVERAGE);
        average.lerp_(gradient, 1 - alpha);
        return squares.addcmul(average, average, -1);
    }
}
