package dev.outpost.optim;

import java.util.List;

/**
 * The settings that most optimizers have.
 *
 * @param <O> the optimizer itself, which every setting answers
 */
public abstract class ConfiguredOptimizer<O extends ConfiguredOptimizer<O>> extends Optimizer {
    ConfiguredOptimizer(ParameterGroup... groups) {
        super(List.of(groups));
    }

    /** The weight decay of all groups. */
    public final O weightDecay(double weightDecay) {
        groups().forEach(group -> group.weightDecay(weightDecay));
        return self();
    }

    /** Climbs instead of descending. */
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
