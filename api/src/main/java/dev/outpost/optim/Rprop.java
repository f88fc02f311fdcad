package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/** Makes steps with a size for each element, by the signs of gradients (Riedmiller and Braun, 1993; torch.optim.Rprop). */
public final class Rprop extends Optimizer {
    private static final String BEFORE = "prev";
    private static final String SIZE = "step_size";
    private static final Map<String, Double> DEFAULTS =
            Map.of("etaminus", 0.5, "etaplus", 1.2, "min_step", 1e-6, "max_step", 50.0, Options.MAXIMIZE, 0.0);

    /** Uses PyTorch's learning rate, 1e-2. */
    public Rprop(List<Parameter> parameters) {
        this(parameters, 1e-2);
    }

    /** Multiplies step sizes by 0.5 where the sign of a gradient changes, else by 1.2, within [1e-6, 50]. */
    public Rprop(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public Rprop(ParameterGroup... groups) {
        super(List.of(groups));
    }

    /**
     * Sets the factors of a step's size after the sign has changed, and after it has not; the defaults are 0.5 and
     * 1.2.
     */
    public Rprop etas(double minus, double plus) {
        if (!(minus > 0 && minus < 1 && plus > 1)) {
            throw HyperparameterChecks.problem("etas must lie below and above 1, got " + minus + " and " + plus);
        }
        option("etaminus", minus);
        option("etaplus", plus);
        return this;
    }

    /** Sets the smallest and the largest step; the defaults are 1e-6 and 50. */
    public Rprop stepSizes(double smallest, double largest) {
        option("min_step", HyperparameterChecks.atLeastZero("smallest step", smallest));
        option("max_step", HyperparameterChecks.atLeastZero("largest step", largest));
        return this;
    }

    /** Maximizes the objective instead of minimizing it. */
    public Rprop maximize() {
        option("maximize", 1);
        return this;
    }

    @Override
    protected Map<String, Double> defaults() {
        return DEFAULTS;
    }

    @Override
    protected Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        return Map.of(BEFORE, new Remembered(0, shape), SIZE, new Remembered(group.learningRate(), shape));
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor ascent = ascent(group, gradient);
        Tensor before = state.tensor(BEFORE);
        Tensor agreement = ascent.mul(before);
        Tensor turned = agreement.lt(0);
        Tensor factor = agreement
                .onesLike()
                .maskedFill(agreement.gt(0), option(group, "etaplus"))
                .maskedFill(turned, option(group, "etaminus"));
        Tensor size = state.tensor(SIZE);
        size.mul_(factor).clamp_(option(group, "min_step"), option(group, "max_step"));
        Tensor kept = ascent.maskedFill(turned, 0);
        parameter.sub_(kept.sign().mul(size));
        before.copy_(kept);
    }
}
