package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/** Adam (Kingma and Ba, 2015; torch.optim.Adam). Weight decay is added to the gradient; see {@link AdamW}. */
public final class Adam extends Optimizer {
    private static final Map<String, Double> DEFAULTS = Map.of(
            Options.BETA1, 0.9,
            Options.BETA2, 0.999,
            Options.EPS, 1e-8,
            AdaptiveMoments.AMSGRAD, 0.0,
            Options.MAXIMIZE, 0.0);

    /** With PyTorch's learning rate, 1e-3. */
    public Adam(List<Parameter> parameters) {
        this(parameters, 1e-3);
    }

    public Adam(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public Adam(ParameterGroup... groups) {
        super(List.of(groups));
    }

    /** How long the averages of the gradient and of its square remember; 0.9 and 0.999 unless set. A group may have its own. */
    public Adam betas(double beta1, double beta2) {
        Betas checked = new Betas(beta1, beta2);
        option(Options.BETA1, checked.first());
        option(Options.BETA2, checked.second());
        return this;
    }

    /** The number that keeps the denominator from zero; 1e-8 unless set. A group may have its own. */
    public Adam eps(double eps) {
        option(Options.EPS, HyperparameterChecks.atLeastZero("eps", eps));
        return this;
    }

    /** The weight decay of all groups. */
    public Adam weightDecay(double weightDecay) {
        groups().forEach(group -> group.weightDecay(weightDecay));
        return this;
    }

    /** Divides by the largest average of squares so far (Reddi et al., 2018). */
    public Adam amsgrad() {
        option("amsgrad", 1);
        return this;
    }

    /** Climbs instead of descending. */
    public Adam maximize() {
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
        AdaptiveMoments.update(this, group, state, parameter, decayed(group, parameter, gradient));
    }
}
