package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import java.util.List;

/** Gradients over the root of the sum of their squares (Duchi et al., 2011; torch.optim.Adagrad). */
public final class Adagrad extends Optimizer {
    private static final String SUM = "sum";

    private double learningRateDecay;
    private double eps = 1e-10;

    public Adagrad(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public Adagrad(ParameterGroup... groups) {
        super(List.of(groups));
        remember(SUM, 0);
    }

    /** Step n uses the learning rate over 1 + (n - 1) · decay. */
    public Adagrad learningRateDecay(double decay) {
        learningRateDecay = Settings.atLeastZero("learning rate decay", decay);
        return this;
    }

    /** What keeps the denominator from zero; 1e-10 unless set. A group may have its own. */
    public Adagrad eps(double newEps) {
        eps = Settings.atLeastZero("eps", newEps);
        return this;
    }

    public Adagrad weightDecay(double weightDecay) {
        groups().forEach(group -> group.weightDecay(weightDecay));
        return this;
    }

    @Override
    protected Object settings() {
        return List.of(learningRateDecay, eps);
    }

    @Override
    protected boolean hasEps() {
        return true;
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor decayed = group.weightDecay() == 0 ? gradient : gradient.add(parameter, group.weightDecay());
        Tensor sum = state.tensor(SUM);
        sum.addcmul_(decayed, decayed, 1);
        Number rate = state.number(
                List.of(group, "rate"), step -> -(group.learningRate() / (1 + (step - 1) * learningRateDecay)));
        parameter.addcdiv_(decayed, sum.sqrt().add(group.eps().orElse(eps)), rate);
    }
}
