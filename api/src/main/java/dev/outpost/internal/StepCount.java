package dev.outpost.internal;

import dev.outpost.client.numbers.StepCounter;
import dev.outpost.client.program.HostStates;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.LongToDoubleFunction;

/**
 * How often something was done that a program may do, such as steps of an optimizer, and the numbers that depend on it. A program advances
 * the count at every call; its numbers are computed anew for each run, never kept from when it was traced. Thread-safe.
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

    /** How many there were. Waits where a scan that ends by a condition decides it. */
    public long value() {
        return HostStates.ofThread().count(counted);
    }

    /** One more. */
    public void advance() {
        advance(1);
    }

    /** So many more. */
    public void advance(long more) {
        HostStates.ofThread().advance(counted, more);
    }

    /** So many fewer: steps that were counted and did not happen. Not while a program is traced. */
    public void undo(long fewer) {
        counted.add(-fewer);
    }

    /** Goes on from there. */
    public void set(long newSteps) {
        HostStates.ofThread().refuseTraced("program", "a count of steps cannot be set while a program is traced");
        counted.set(newSteps);
    }

    /**
     * A number to compute with as it is at this step.
     *
     * @param name what it is; equal names mean equal formulas
     * @param formula from the count to the number; also reads whatever else may change from call to call
     */
    public Number number(Object name, LongToDoubleFunction formula) {
        return HostStates.ofThread().number(counted, name, formula);
    }
}
