package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adam with Nesterov momentum (Dozat, 2016; torch.optim.NAdam). */
public final class NAdam extends AdamOptimizer<NAdam> {
    private static final Map<String, Double> DEFAULTS = defaultsAnd(Map.of("momentum_decay", 4e-3, DECOUPLED, 0.0));

    private record Product(long steps, double value) {}

    private final Map<List<Double>, Product> products = new HashMap<>();

    /** Uses PyTorch's learning rate, 2e-3. */
    public NAdam(List<Parameter> parameters) {
        this(parameters, 2e-3);
    }

    /** Uses betas of 0.9 and 0.999, an eps of 1e-8 and a momentum decay of 4e-3. */
    public NAdam(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public NAdam(ParameterGroup... groups) {
        super(groups);
    }

    /** Sets the speed with which momentum grows to the first beta; the default is 0.004. */
    public NAdam momentumDecay(double momentumDecay) {
        return set("momentum_decay", HyperparameterChecks.atLeastZero("momentum decay", momentumDecay));
    }

    /** Decays weights separately from the gradient, like {@link AdamW}. */
    public NAdam decoupledWeightDecay() {
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
        Number correction =
                state.number(List.of(group, "correction"), step -> 1 - Math.pow(option(group, Options.BETA2), step));
        Tensor denominator = squares.div(correction).sqrt().add(option(group, Options.EPS));
        Number ofGradient = state.number(
                List.of(group, "gradient"),
                step -> -group.learningRate() * (1 - momentum(group, step)) / (1 - product(group, step)));
        Number ofAverage = state.number(
                List.of(group, "average"),
                step -> -group.learningRate() * momentum(group, step + 1) / (1 - product(group, step + 1)));
        parameter.addcdiv_(decayed, denominator, ofGradient);
        parameter.addcdiv_(average, denominator, ofAverage);
    }

    private double momentum(ParameterGroup group, long step) {
        return option(group, Options.BETA1) * (1 - 0.5 * Math.pow(0.96, step * option(group, "momentum_decay")));
    }

    /**
     * Returns the product of the momenta of the first steps. The latest product is kept, so that later steps take no longer than the first.
     */
    private double product(ParameterGroup group, long steps) {
        List<Double> key = List.of(option(group, Options.BETA1), option(group, "momentum_decay"));
        Product known = products.get(key);
        Product from = known == null || known.steps > steps ? new Product(0, 1) : known;
        double value = from.value;
        for (long step = from.steps + 1; step <= steps; step++) {
            value *= momentum(group, step);
        }
        if (known == null || known.steps != steps + 1) {
            products.put(key, new Product(steps, value));
        }
        return value;
    }
}
