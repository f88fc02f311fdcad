package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/** Adam by the largest gradient in place of squares (Kingma and Ba, 2015; torch.optim.Adamax). */
public final class Adamax extends Optimizer {
    private static final String AVERAGE = "exp_avg";
    private static final String LARGEST = "exp_inf";
    private static final Map<String, Double> DEFAULTS = Map.of(
            Options.BETA1, 0.9,
            Options.BETA2, 0.999,
            Options.EPS, 1e-8,
            Options.MAXIMIZE, 0.0);

    /** With PyTorch's learning rate, 2e-3. */
    public Adamax(List<Parameter> parameters) {
        this(parameters, 2e-3);
    }

    public Adamax(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public Adamax(ParameterGroup... groups) {
        super(List.of(groups));
    }

    /** How long the average and the largest gradient remember; 0.9 and 0.999 unless set. A group may have its own. */
    public Adamax betas(double beta1, double beta2) {
        Betas checked = new Betas(beta1, beta2);
        option(Options.BETA1, checked.first());
        option(Options.BETA2, checked.second());
        return this;
    }

    /** The number that keeps the denominator from zero; 1e-8 unless set. A group may have its own. */
    public Adamax eps(double eps) {
        option(Options.EPS, HyperparameterChecks.atLeastZero("eps", eps));
        return this;
    }

    /** The weight decay of all groups. */
    public Adamax weightDecay(double weightDecay) {
        groups().forEach(group -> group.weightDecay(weightDecay));
        return this;
    }

    /** Climbs instead of descending. */
    public Adamax maximize() {
        option("maximize", 1);
        return this;
    }

    @Override
    protected Map<String, Double> defaults() {
        return DEFAULTS;
    }

    @Override
    protected Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        return zeros(shape, AVERAGE, LARGEST);
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor decayed = decayed(group, parameter, gradient);
        Tensor average = state.tensor(AVERAGE);
        average.lerp_(decayed, 1 - option(group, Options.BETA1));
        Tensor largest = state.tensor(LARGEST);
        largest.copy_(
                largest.mul(option(group, Options.BETA2)).maximum(decayed.abs().add(option(group, Options.EPS))));
        Number rate = state.number(
                List.of(group, "rate"),
                step -> -group.learningRate() / (1 - Math.pow(option(group, Options.BETA1), step)));
        parameter.addcdiv_(average, largest, rate);
    }
}
