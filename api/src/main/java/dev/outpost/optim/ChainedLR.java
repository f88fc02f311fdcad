package dev.outpost.optim;

import java.util.List;

/** Combines schedules: each one takes the result of the schedule before it as its base rate (ChainedScheduler). */
public final class ChainedLR extends LearningRateSchedule {
    private final List<LearningRateSchedule> schedules;

    public ChainedLR(Optimizer optimizer, List<? extends LearningRateSchedule> schedules) {
        super(optimizer);
        this.schedules = List.copyOf(schedules);
        moveTo(0);
    }

    @Override
    public double learningRate(double base, long steps) {
        double current = base;
        for (LearningRateSchedule schedule : schedules) {
            current = schedule.learningRate(current, steps);
        }
        return current;
    }
}
