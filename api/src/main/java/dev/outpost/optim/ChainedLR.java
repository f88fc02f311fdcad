package dev.outpost.optim;

import java.util.List;

/** Several schedules at once: each takes what the one before gave for its base (ChainedScheduler). */
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
