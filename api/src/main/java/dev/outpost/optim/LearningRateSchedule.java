package dev.outpost.optim;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.types.OpException;
import java.util.List;

/**
 * Sets an optimizer's learning rates as training goes on. Every rate follows from the group's first one and the number
 * of steps, in closed form, so a schedule can be put to any step.
 */
public abstract class LearningRateSchedule {
    private final List<ParameterGroup> groups;
    private long steps;

    protected LearningRateSchedule(Optimizer optimizer) {
        this.groups = ArgumentChecks.required(optimizer, "the optimizer").groups();
        groups.forEach(ParameterGroup::baseLearningRate);
    }

    /**
     * The learning rate after some steps.
     *
     * @param base the group's learning rate before any schedule
     * @param steps how often {@link #step} was called
     */
    public abstract double learningRate(double base, long steps);

    /** Goes on to the next learning rate; called after the optimizer's step, once an epoch or once a step. */
    public final void step() {
        moveTo(steps + 1);
    }

    /** Goes to the learning rate after that many steps, as when training is resumed. */
    public final void moveTo(long newSteps) {
        if (newSteps < 0) {
            throw new OpException("schedule", "the number of steps must not be negative, got " + newSteps);
        }
        steps = newSteps;
        groups.forEach(group -> group.learningRate(learningRate(group.baseLearningRate(), steps)));
    }

    /** How often {@link #step} was called. */
    public final long steps() {
        return steps;
    }

    static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new OpException("schedule", name + " must be above 0, got " + value);
        }
    }
}
