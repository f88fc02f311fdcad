package dev.outpost.optim;

import dev.outpost.Tensor;
import dev.outpost.nn.Parameter;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Map;

/** Adam that waits until its average of squares is worth something (Liu et al., 2020; torch.optim.RAdam). */
public final class RAdam extends Optimizer {
    private static final Map<String, Double> DEFAULTS = Map.of(
            Options.BETA1,
            0.9,
            Options.BETA2,
            0.999,
            Options.EPS,
            1e-8,
            "decoupled_weight_decay",
            0.0,
            Options.MAXIMIZE,
            0.0);

    /** With PyTorch's learning rate, 1e-3. */
    public RAdam(List<Parameter> parameters) {
        this(parameters, 1e-3);
    }

    public RAdam(List<Parameter> parameters, double learningRate) {
        this(new ParameterGroup(parameters, learningRate, 0));
    }

    public RAdam(ParameterGroup... groups) {
        super(List.of(groups));
    }

    /** How long the averages of the gradient and of its square remember; 0.9 and 0.999 unless set. A group may have its own. */
    public RAdam betas(double beta1, double beta2) {
        Betas checked = new Betas(beta1, beta2);
        option(Options.BETA1, checked.first());
        option(Options.BETA2, checked.second());
        return this;
    }

    /** The number that keeps the denominator from zero; 1e-8 unless set. A group may have its own. */
    public RAdam eps(double eps) {
        option(Options.EPS, HyperparameterChecks.atLeastZero("eps", eps));
        return this;
    }

    /** Decays weights apart from the gradient, as {@link AdamW}. */
    public RAdam decoupledWeightDecay() {
        option("decoupled_weight_decay", 1);
        return this;
    }

    /** The weight decay of all groups. */
    public RAdam weightDecay(double weightDecay) {
        groups().forEach(group -> group.weightDecay(weightDecay));
        return this;
    }

    /** Climbs instead of descending. */
    public RAdam maximize() {
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
        // Both ways are recorded and one weighs nothing, so that all steps are of one structure.
        parameter.add_(average, state.number(List.of(group, "plain"), step -> plain(group, step)));
        parameter.addcdiv_(
                average,
                squares.sqrt().add(option(group, Options.EPS)),
                state.number(List.of(group, "adaptive"), step -> adaptive(group, step)));
    }

    /** How many gradients the average of squares is worth after some steps. */
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
