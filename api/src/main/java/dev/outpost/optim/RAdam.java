package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/** Adam that ignores its average of squares until it covers enough gradients (Liu et al., 2020; torch.optim.RAdam). */
public final class RAdam extends AdamOptimizer<RAdam> {
    private static final Map<String, Double> DEFAULTS = defaultsAnd(Map.of(DECOUPLED, 0.0));

    /** Uses PyTorch's learning rate, 1e-3. */
    public RAdam(List<Parameter> parameters) {
        this(parameters, 1e-3);
    }

    /** Uses betas of 0.9 and 0.999 and an eps of 1e-8. */
    public RAdam(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public RAdam(ParameterGroup... groups) {
        super(groups);
    }

    /** Decays weights separately from the gradient, like {@link AdamW}. */
    public RAdam decoupledWeightDecay() {
        return set(DECOUPLED, 1);
    }

    @Override
    protected Map<String, Double> defaults() {
        return DEFAULTS;
    }

    @Override
    protected Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        return zeros(shape, AVERAGE, SQUARES);
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor decayed = decayedOrDecoupled(group, state, parameter, gradient);
        average(group, state, decayed);
        Tensor average = state.tensor(AVERAGE);
        Tensor squares = state.tensor(SQUARES);
        // Both updates are recorded, and one has the factor 0, so that all steps have the same structure.
        parameter.add_(average, state.number(List.of(group, "plain"), step -> plain(group, step)));
        parameter.addcdiv_(
                average,
                squares.sqrt().add(option(group, Options.EPS)),
                state.number(List.of(group, "adaptive"), step -> adaptive(group, step)));
    }

    /** Returns the number of gradients that the average of squares effectively covers after some steps. */
    private double worth(ParameterGroup group, long step) {
        double beta2 = option(group, Options.BETA2);
        return most(group) - 2 * step * Math.pow(beta2, step) / (1 - Math.pow(beta2, step));
    }

    private double most(ParameterGroup group) {
        return 2 / (1 - option(group, Options.BETA2)) - 1;
    }

    private double rate(ParameterGroup group, long step) {
        return -group.learningRate() / (1 - Math.pow(option(group, Options.BETA1), step));
    }

    private double plain(ParameterGroup group, long step) {
        return worth(group, step) > 5 ? 0 : rate(group, step);
    }

    private double adaptive(ParameterGroup group, long step) {
        double worth = worth(group, step);
        if (worth <= 5) {
            return 0;
        }
        double max = most(group);
        double share = (worth - 4) * (worth - 2) * max / ((max - 4) * (max - 2) * worth);
        return rate(group, step) * Math.sqrt(share * (1 - Math.pow(option(group, Options.BETA2), step)));
    }
}
