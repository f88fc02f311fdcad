package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import java.util.List;

/** Adam (Kingma and Ba, 2015; torch.optim.Adam). Weight decay is added to the gradient; see {@link AdamW}. */
public final class Adam extends Optimizer {
    private final AdaptiveMoments moments = new AdaptiveMoments();

    public Adam(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public Adam(ParameterGroup... groups) {
        super(List.of(groups));
        remember(AdaptiveMoments.AVERAGE, 0);
        remember(AdaptiveMoments.SQUARES, 0);
    }

    /** How long the averages of the gradient and of its square remember; 0.9 and 0.999 unless set. A group may have its own. */
    public Adam betas(double beta1, double beta2) {
        moments.betas(beta1, beta2);
        return this;
    }

    /** What keeps the denominator from zero; 1e-8 unless set. A group may have its own. */
    public Adam eps(double eps) {
        moments.eps(eps);
        return this;
    }

    public Adam weightDecay(double weightDecay) {
        groups().forEach(group -> group.weightDecay(weightDecay));
        return this;
    }

    /** Divides by the largest average of squares so far (Reddi et al., 2018). */
    public Adam amsgrad() {
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
        Tensor decayed = group.weightDecay() == 0 ? gradient : gradient.add(parameter, group.weightDecay());
        moments.update(group, state, parameter, decayed);
    }
}
