package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/** Adam with weight decay apart from the gradient (Loshchilov and Hutter, 2019; torch.optim.AdamW). */
public final class AdamW extends Optimizer {
    private static final double DEFAULT_WEIGHT_DECAY = 0.01;
    private static final Map<String, Double> DEFAULTS = Map.of(
            Options.BETA1, 0.9,
            Options.BETA2, 0.999,
            Options.EPS, 1e-8,
            AdaptiveMoments.AMSGRAD, 0.0,
            Options.MAXIMIZE, 0.0);

    /** With PyTorch's learning rate, 1e-3. */
    public AdamW(List<Parameter> parameters) {
        this(parameters, 1e-3);
    }

    public AdamW(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, DEFAULT_WEIGHT_DECAY));
    }

    public AdamW(ParameterGroup... groups) {
        super(List.of(groups));
    }

    /** How long the averages of the gradient and of its square remember; 0.9 and 0.999 unless set. A group may have its own. */
    public AdamW betas(double beta1, double beta2) {
        Betas checked = new Betas(beta1, beta2);
        option(Options.BETA1, checked.first());
        option(Options.BETA2, checked.second());
        return this;
    }

    /** The number that keeps the denominator from zero; 1e-8 unless set. A group may have its own. */
    public AdamW eps(double eps) {
        option(Options.EPS, HyperparameterChecks.atLeastZero("eps", eps));
        return this;
    }

    /** The weight decay of all groups. */
    public AdamW weightDecay(double weightDecay) {
        groups().forEach(group -> group.weightDecay(weightDecay));
        return this;
    }

    /** Divides by the largest average of squares so far (Reddi et al., 2018). */
    public AdamW amsgrad() {
        option("amsgrad", 1);
        return this;
    }

    /** Climbs instead of descending. */
    public AdamW maximize() {
        option("maximize", 1);
        return this;
    }

    @Override
    protected Map<String, Double> defaults() {
        return DEFAULTS;
    }

    @Override
    protected Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        return AdaptiveMoments.memory(this, group, shape);
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        decay(group, state, parameter);
        AdaptiveMoments.update(this, group, state, parameter, ascent(group, gradient));
    }
}
