package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import java.util.List;

/** Adam with weight decay apart from the gradient (Loshchilov and Hutter, 2019; torch.optim.AdamW). */
public final class AdamW extends Optimizer {
    private static final double DEFAULT_WEIGHT_DECAY = 0.01;

    private final AdaptiveMoments moments = new AdaptiveMoments();

    public AdamW(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, DEFAULT_WEIGHT_DECAY));
    }

    public AdamW(ParameterGroup... groups) {
        super(List.of(groups));
        remember(AdaptiveMoments.AVERAGE, 0);
        remember(AdaptiveMoments.SQUARES, 0);
    }

    /** How long the averages of the gradient and of its square remember; 0.9 and 0.999 unless set. A group may have its own. */
    public AdamW betas(double beta1, double beta2) {
        moments.betas(beta1, beta2);
        return this;
    }

    /** What keeps the denominator from zero; 1e-8 unless set. A group may have its own. */
    public AdamW eps(double eps) {
        moments.eps(eps);
        return this;
    }

    public AdamW weightDecay(double weightDecay) {
        groups().forEach(group -> group.weightDecay(weightDecay));
        return this;
    }

    /** Divides by the largest average of squares so far (Reddi et al., 2018). */
    public AdamW amsgrad() {
        moments.amsgrad();
        remember(AdaptiveMoments.LARGEST_SQUARES, 0);
        return this;
    }

    @Override
    protected Object settings() {
        return moments.settings();
    }

    @Override
    protected boolean hasBetas() {
        return true;
    }

    @Override
    protected boolean hasEps() {
        return true;
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        if (group.weightDecay() != 0) {
            parameter.mul_(
                    state.number(List.of(group, "decay"), step -> 1 - group.learningRate() * group.weightDecay()));
        }
        moments.update(group, state, parameter, gradient);
    }
}
