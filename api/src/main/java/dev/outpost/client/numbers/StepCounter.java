package dev.outpost.client.numbers;

import java.util.function.LongSupplier;

/** Counts events of a program, such as steps of an optimizer. Counters are compared by identity. */
public interface StepCounter {
    /** Returns the count, without steps of a trace. */
    long counted();

    void add(long more);

    /** Adds {@code each} for each run; the number of runs is known later. */
    void addLater(LongSupplier runs, long each);
}
