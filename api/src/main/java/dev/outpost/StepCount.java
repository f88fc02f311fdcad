package dev.outpost;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToDoubleFunction;

/**
 * How often something was done that a program may do, such as steps of an optimizer, and the numbers that depend on it.
 * A program advances the count at every call; its numbers are computed anew for each run, never kept from when it was traced.
 */
public final class StepCount {
    private record Later(Scan scan, long each) {}

    private final List<Later> later = new ArrayList<>();
    private long steps;

    /** How many there were. Waits where a scan that ends by a condition decides it. */
    public long value() {
        Trace trace = Trace.current();
        return held() + (trace == null ? 0 : trace.numbers().ahead(this));
    }

    /** One more. */
    public void advance() {
        advance(1);
    }

    /** So many more. */
    public void advance(long more) {
        Trace trace = Trace.current();
        if (trace == null) {
            steps = held() + more;
        } else {
            trace.numbers().advance(this, more);
        }
    }

    /** So many fewer: steps that were counted and did not happen. Not while a program is traced. */
    public void takeBack(long fewer) {
        add(-fewer);
    }

    /** Goes on from there. */
    public void set(long newSteps) {
        Trace.requireNone("program", "a count of steps cannot be set while a program is traced");
        later.clear();
        steps = newSteps;
    }

    /**
     * A number to compute with as it is at this step.
     *
     * @param name what it is; equal names mean equal formulas
     * @param formula from the count to the number; also reads whatever else may change from call to call
     */
    public Number number(Object name, LongToDoubleFunction formula) {
        Trace trace = Trace.current();
        return trace == null
                ? (Number) formula.applyAsDouble(value())
                : trace.numbers().number(this, name, formula);
    }

    long held() {
        for (Later scan : later) {
            steps += scan.each * scan.scan.counted();
        }
        later.clear();
        return steps;
    }

    void add(long more) {
        steps = held() + more;
    }

    void addLater(Scan scan, long each) {
        later.add(new Later(scan, each));
    }
}
