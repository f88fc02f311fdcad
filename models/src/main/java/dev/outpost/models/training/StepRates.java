package dev.outpost.models.training;

import java.util.ArrayDeque;
import java.util.Deque;

/** Measures the speed of training over the last steps. Used by one thread. */
final class StepRates {
    /** The number of latest steps over which the speed is measured. */
    private static final int STEPS = 20;

    private record Mark(long step, long size, long nanos) {}

    private final long begun = System.nanoTime();
    private final long steps;
    private final Deque<Mark> marks = new ArrayDeque<>();
    private long size;

    StepRates(long step, long steps) {
        this.steps = steps;
        marks.add(new Mark(step, 0, begun));
    }

    TrainingStep step(long step, double epoch, double loss, double gradientNorm, double learningRate, long ofStep) {
        long now = System.nanoTime();
        size += ofStep;
        marks.add(new Mark(step, size, now));
        // The first step includes compilation, so it does not count.
        if (marks.size() > STEPS || marks.size() == 3 && marks.getFirst().size() == 0) {
            marks.removeFirst();
        }
        Mark first = marks.getFirst();
        double window = Math.max(1, now - first.nanos()) / 1e9;
        double left = (steps - step) * window / Math.max(1, step - first.step());
        return new TrainingStep(
                step,
                epoch,
                loss,
                gradientNorm,
                learningRate,
                ofStep,
                (now - begun) / 1e9,
                (size - first.size()) / window,
                left);
    }
}
