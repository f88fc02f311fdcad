package dev.outpost.optim;

import java.util.List;

/**
 * The settings that most optimizers have.
 *
 * @param <O> the optimizer itself, which every setter returns
 */
public abstract class ConfiguredOptimizer<O extends ConfiguredOptimizer<O>> extends Optimizer {
    ConfiguredOptimizer(ParameterGroup... groups) {
        super(List.of(groups));
    }

    /** Sets the weight decay of all groups. */
    public final O weightDecay(double weightDecay) {
        groups().forEach(group -> group.weightDecay(weightDecay));
        return self();
    }

    /** Maximizes the objective instead of minimizing it. */
    public final O maximize() {
        return set(Options.MAXIMIZE, 1);
    }

    final O set(String name, double value) {
        option(name, value);
        return self();
    }

    @SuppressWarnings("unchecked")
    final O self() {
        return (O) this;
    }
}
