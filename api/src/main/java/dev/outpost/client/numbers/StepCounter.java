package dev.outpost.client.numbers;

import java.util.function.LongSupplier;

/** Counts what a program may do, such as steps of an optimizer. Two are the same where they are the same object. */
public interface StepCounter {
    /** How many there were, whatever is traced. */
    long counted();

    void add(long more);

    /** Adds so many for each run of something, whose number is known later. */
    void addLater(LongSupplier runs, long each);
}
