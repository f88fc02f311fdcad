package dev.outpost.optim;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;
import java.util.List;

/**
 * Sets an optimizer's learning rates during training. Every rate is a function of the group's first rate and the number of steps, so a
 * schedule can be moved to any step.
 *
 * <p>Not thread-safe.
 */
public abstract class LearningRateSchedule {
    private final List<ParameterGroup> groups;
    private long steps;

    protected LearningRateSchedule(Optimizer optimizer) {
        this.groups = ArgumentChecks.required(optimizer, "the optimizer").groups();
        groups.forEach(ParameterGroup::baseLearningRate);
    }

    /**
     * Returns the learning rate after some steps.
     *
     * @param base the group's learning rate before any schedule
     * @param steps the number of calls of {@link #step}
     */
    public abstract double learningRate(double base, long steps);

    /** Sets the next learning rate. Call it after the optimizer's step, once per epoch or once per step. */
    public final void step() {
        moveTo(steps + 1);
    }

    /** Sets the learning rate after this many steps, for example when training is resumed. */
    public final void moveTo(long newSteps) {
        if (newSteps < 0) {
            throw new OpException("schedule", "the number of steps must not be negative, got " + newSteps);
        }
        steps = newSteps;
        groups.forEach(group -> group.learningRate(learningRate(group.baseLearningRate(), steps)));
    }

    /** Returns the learning rate of the first group that the schedule set last; before that, the optimizer's own (get_last_lr). */
    public final double lastLearningRate() {
        return lastLearningRates().getFirst();
    }

    /** Like {@link #lastLearningRate}, but for each group. */
    public final List<Double> lastLearningRates() {
        return groups.stream().map(ParameterGroup::learningRate).toList();
    }

    /** Returns the number of calls of {@link #step}. */
    public final long steps() {
        return steps;
    }

    static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new OpException("schedule", name + " must be above 0, got " + value);
        }
    }
}
