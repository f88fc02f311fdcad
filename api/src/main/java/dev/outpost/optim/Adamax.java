package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/**
 * Adam with a decaying maximum of gradients instead of the mean of their squares (Kingma and Ba, 2015;
 * torch.optim.Adamax).
 */
public final class Adamax extends AdamOptimizer<Adamax> {
    private static final String LARGEST = "exp_inf";
    private static final Map<String, Double> DEFAULTS = defaultsAnd(Map.of());

    /** Uses PyTorch's learning rate, 2e-3. */
    public Adamax(List<Parameter> parameters) {
        this(parameters, 2e-3);
    }

    /** Uses betas of 0.9 and 0.999 and an eps of 1e-8. */
    public Adamax(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public Adamax(ParameterGroup... groups) {
        super(groups);
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
