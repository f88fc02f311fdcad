package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/**
 * Makes steps of the same size for all elements, in the direction of the sign of an average of gradients (Chen et
 * al., 2023).
 */
public final class Lion extends ConfiguredOptimizer<Lion> {
    private static final String AVERAGE = "exp_avg";
    private static final Map<String, Double> DEFAULTS =
            Map.of(Options.BETA1, 0.9, Options.BETA2, 0.99, Options.MAXIMIZE, 0.0);

    /** Uses PyTorch's learning rate, 1e-4. */
    public Lion(List<Parameter> parameters) {
        this(parameters, 1e-4);
    }

    /** Uses betas of 0.9 and 0.99, and no weight decay. */
    public Lion(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public Lion(ParameterGroup... groups) {
        super(groups);
    }

    /**
     * Sets the decays of the average for the present step and for later steps; the defaults are 0.9 and 0.99. A group
     * may have its own value.
     */
    public Lion betas(double beta1, double beta2) {
        Betas checked = new Betas(beta1, beta2);
        option(Options.BETA1, checked.first());
        return set(Options.BETA2, checked.second());
    }

    @Override
    protected Map<String, Double> defaults() {
        return DEFAULTS;
    }

    @Override
    protected Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        return zeros(shape, AVERAGE);
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        decay(group, state, parameter);
        Tensor ascent = ascent(group, gradient);
        Tensor average = state.tensor(AVERAGE);
        Tensor direction =
                average.lerp(ascent, 1 - option(group, Options.BETA1)).sign();
        parameter.add_(direction, state.number(List.of(group, "rate"), step -> -group.learningRate()));
        average.lerp_(ascent, 1 - option(group, Options.BETA2));
    }
}
