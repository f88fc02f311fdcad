package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adam with Nesterov momentum (Dozat, 2016; torch.optim.NAdam). */
public final class NAdam extends Optimizer {
    private static final Map<String, Double> DEFAULTS = Map.of(
            Options.BETA1,
            0.9,
            Options.BETA2,
            0.999,
            Options.EPS,
            1e-8,
            "momentum_decay",
            4e-3,
            "decoupled_weight_decay",
            0.0,
            Options.MAXIMIZE,
            0.0);

    private record Product(long steps, double value) {}

    private final Map<List<Double>, Product> products = new HashMap<>();

    /** With PyTorch's learning rate, 2e-3. */
    public NAdam(List<Parameter> parameters) {
        this(parameters, 2e-3);
    }

    public NAdam(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public NAdam(ParameterGroup... groups) {
        super(List.of(groups));
    }

    /** How long the averages of the gradient and of its square remember; 0.9 and 0.999 unless set. A group may have its own. */
    public NAdam betas(double beta1, double beta2) {
        Betas checked = new Betas(beta1, beta2);
        option(Options.BETA1, checked.first());
        option(Options.BETA2, checked.second());
        return this;
    }

    /** The number that keeps the denominator from zero; 1e-8 unless set. A group may have its own. */
    public NAdam eps(double eps) {
        option(Options.EPS, HyperparameterChecks.atLeastZero("eps", eps));
        return this;
    }

    /** How fast momentum grows to the first beta; 0.004 unless set. */
    public NAdam momentumDecay(double momentumDecay) {
        option("momentum_decay", HyperparameterChecks.atLeastZero("momentum decay", momentumDecay));
        return this;
    }

    /** Decays weights apart from the gradient, as {@link AdamW}. */
    public NAdam decoupledWeightDecay() {
        option("decoupled_weight_decay", 1);
        return this;
    }

    /** The weight decay of all groups. */
    public NAdam weightDecay(double weightDecay) {
        groups().forEach(group -> group.weightDecay(weightDecay));
        return this;
    }

    /** Climbs instead of descending. */
    public NAdam maximize() {
        option("maximize", 1);
        return this;
    }

    @Override
    protected Map<String, Double> defaults() {
        return DEFAULTS;
    }

    @Override
    protected Map<String, Remembered> memory(ParameterGroup group, Shape shape) {
        return zeros(shape, AdaptiveMoments.AVERAGE, AdaptiveMoments.SQUARES);
    }

    @Override
    protected void update(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        Tensor ascent = ascent(group, gradient);
        Tensor decayed = ascent;
        if (isSet(group, "decoupled_weight_decay")) {
            decay(group, state, parameter);
        } else if (group.weightDecay() != 0) {
            decayed = ascent.add(parameter, group.weightDecay());
        }
        double beta2 = option(group, Options.BETA2);
        Tensor average = state.tensor(AdaptiveMoments.AVERAGE);
        average.lerp_(decayed, 1 - option(group, Options.BETA1));
        Tensor squares = state.tensor(AdaptiveMoments.SQUARES);
        squares.mul_(beta2).addcmul_(decayed, decayed, 1 - beta2);
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

    /** The momentum of a step. */
    private double momentum(ParameterGroup group, long step) {
        return option(group, Options.BETA1) * (1 - 0.5 * Math.pow(0.96, step * option(group, "momentum_decay")));
    }

    /** The product of the momenta of the first steps; the latest is kept, so that a step takes no longer than the first. */
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
