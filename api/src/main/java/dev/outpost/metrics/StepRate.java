package dev.outpost.metrics;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The speed of a loop over its last steps. The first step, which often includes compilation and the first load, does not count. There is no
 * estimate before {@link #MIN_STEPS} steps after it were measured. Not thread-safe.
 */
public final class StepRate {
    /** The number of steps after the first that an estimate needs. */
    public static final int MIN_STEPS = 3;

    private static final int MAX_STEPS = 50;

    private record Mark(long step, double units, long nanos) {}

    private final Deque<Mark> marks = new ArrayDeque<>();
    private double units;

    /**
     * Records the end of a step.
     *
     * @param step number of steps that are done
     * @param unitsOfStep the size of the step, for example in tokens
     * @param nanos the time, as of {@link System#nanoTime}
     */
    public void add(long step, double unitsOfStep, long nanos) {
        units += unitsOfStep;
        marks.addLast(new Mark(step, units, nanos));
        if (marks.size() > MAX_STEPS + 1) {
            marks.removeFirst();
        }
    }

    /** Returns true if enough steps were measured. */
    public boolean isKnown() {
        return marks.size() > MIN_STEPS && seconds() > 0;
    }

    /** Returns steps per second; NaN if they are not known yet. */
    public double steps() {
        return isKnown() ? (marks.getLast().step - marks.getFirst().step) / seconds() : Double.NaN;
    }

    /** Returns units per second; NaN if they are not known yet. */
    public double units() {
        return isKnown() ? (marks.getLast().units - marks.getFirst().units) / seconds() : Double.NaN;
    }

    /** Returns the seconds that these further steps take; NaN if they are not known yet. */
    public double secondsFor(long furtherSteps) {
        return furtherSteps / steps();
    }

    private double seconds() {
        return (marks.getLast().nanos - marks.getFirst().nanos) / 1e9;
    }
}
