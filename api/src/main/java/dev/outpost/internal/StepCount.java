package dev.outpost.internal;

import dev.outpost.client.numbers.StepCounter;
import dev.outpost.client.program.HostStates;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.LongToDoubleFunction;

/**
 * Counts repetitions of an action, such as steps of an optimizer, and computes numbers that depend on the count. Each call of a program
 * advances the count. The numbers are computed for each run; values from the trace are never reused. Thread-safe.
 */
public final class StepCount {
    private record Later(LongSupplier runs, long each) {}

    /** The count outside of programs. */
    private static final class Counted implements StepCounter {
        private final List<Later> later = new ArrayList<>();
        private long steps;

        @Override
        public synchronized long counted() {
            for (Later some : later) {
                steps += some.each * some.runs.getAsLong();
            }
            later.clear();
            return steps;
        }

        @Override
        public synchronized void add(long more) {
            steps = counted() + more;
        }

        @Override
        public synchronized void addLater(LongSupplier runs, long each) {
            later.add(new Later(runs, each));
        }

        synchronized void set(long newSteps) {
            later.clear();
            steps = newSteps;
        }
    }

    private final Counted counted = new Counted();

    /** Returns the count. Waits if it depends on a scan that ends by a condition. */
    public long value() {
        return HostStates.ofThread().count(counted);
    }

    /** Adds one to the count. */
    public void advance() {
        advance(1);
    }

    /** Adds {@code more} to the count. */
    public void advance(long more) {
        HostStates.ofThread().advance(counted, more);
    }

    /** Subtracts steps that were counted but did not happen. Must not be called while a program is traced. */
    public void undo(long fewer) {
        counted.add(-fewer);
    }

    /** Sets the count. */
    public void set(long newSteps) {
        HostStates.ofThread().refuseTraced("program", "a count of steps cannot be set while a program is traced");
        counted.set(newSteps);
    }

    /**
     * Returns a number that depends on the current step.
     *
     * @param name identifies the formula; equal names mean equal formulas
     * @param formula computes the number from the count; it may read other values that change between calls
     */
    public Number number(Object name, LongToDoubleFunction formula) {
        return HostStates.ofThread().number(counted, name, formula);
    }
}
