package dev.outpost.optim;

import dev.outpost.Tensor;
import java.util.HashMap;
import java.util.Map;

/**
 * The common part of Adam and its variants.
 *
 * @param <O> the optimizer itself, which every setter returns
 */
public abstract class AdamOptimizer<O extends AdamOptimizer<O>> extends ConfiguredOptimizer<O> {
    static final String AVERAGE = "exp_avg";
    static final String SQUARES = "exp_avg_sq";
    static final String DECOUPLED = "decoupled_weight_decay";

    AdamOptimizer(ParameterGroup... groups) {
        super(groups);
    }

    /** Returns the options of Adam with their defaults, and further ones. */
    static Map<String, Double> defaultsAnd(Map<String, Double> further) {
        Map<String, Double> all = new HashMap<>(further);
        all.putAll(Map.of(Options.BETA1, 0.9, Options.BETA2, 0.999, Options.EPS, 1e-8, Options.MAXIMIZE, 0.0));
        return Map.copyOf(all);
    }

    /**
     * Sets the decays of the averages of the gradient and of its square; the defaults are 0.9 and 0.999. A group may
     * have its own value.
     */
    public final O betas(double beta1, double beta2) {
        Betas checked = new Betas(beta1, beta2);
        option(Options.BETA1, checked.first());
        return set(Options.BETA2, checked.second());
    }

    /** Sets the number that keeps the denominator from zero; the default is 1e-8. A group may have its own value. */
    public final O eps(double eps) {
        return set(Options.EPS, HyperparameterChecks.atLeastZero("eps", eps));
    }

    /**
     * Decays a parameter separately from the gradient if its group has this option, or else adds the decay to the
     * gradient. Returns the gradient.
     */
    final Tensor decayedOrDecoupled(ParameterGroup group, ParameterState state, Tensor parameter, Tensor gradient) {
        if (!isSet(group, DECOUPLED)) {
            return decayed(group, parameter, gradient);
        }
        decay(group, state, parameter);
        return ascent(group, gradient);
    }

    /** Updates the averages of the gradient and of its square. */
    final void average(ParameterGroup group, ParameterState state, Tensor gradient) {
        double beta2 = option(group, Options.BETA2);
        state.tensor(AVERAGE).lerp_(gradient, 1 - option(group, Options.BETA1));
        state.tensor(SQUARES).mul_(beta2).addcmul_(gradient, gradient, 1 - beta2);
    }
}
