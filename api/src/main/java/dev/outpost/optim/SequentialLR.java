package dev.outpost.optim;

import dev.outpost.types.OpException;
import java.util.List;

/** Uses one schedule after the other: each milestone starts the next schedule at its step 0. */
public final class SequentialLR extends LearningRateSchedule {
    private final List<LearningRateSchedule> schedules;
    private final long[] milestones;

    /** @param milestones the steps at which the next schedule starts, ascending; one fewer than schedules */
    public SequentialLR(Optimizer optimizer, List<? extends LearningRateSchedule> schedules, long... milestones) {
        super(optimizer);
        if (milestones.length != schedules.size() - 1) {
            throw new OpException(
                    "SequentialLR",
                    "there must be one milestone fewer than schedules, got " + milestones.length + " and "
                            + schedules.size());
        }
        this.schedules = List.copyOf(schedules);
        this.milestones = milestones.clone();
        moveTo(0);
    }

    @Override
    public double learningRate(double base, long steps) {
        int current = 0;
        while (current < milestones.length && steps >= milestones[current]) {
            current++;
        }
        long begun = current == 0 ? 0 : milestones[current - 1];
        return schedules.get(current).learningRate(base, steps - begun);
    }
}
