package dev.outpost.client.program;

import dev.outpost.client.numbers.StepCounter;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongToDoubleFunction;
import java.util.function.Supplier;

/**
 * How code uses what it keeps in Java beside tensors. Plain code reads and changes that at once. A function that is traced leaves it
 * alone: what it read is looked at again, and what it would have changed is changed, when the program is called.
 */
public interface HostState {
    /**
     * Says that what is recorded depends on a fact. A trace in which it was otherwise is not used for a call.
     *
     * @param key what the fact is about; asked once for each
     * @param fact answers by {@code equals}
     */
    <K> void assume(K key, Function<K, ?> fact);

    /** Does something once, which no call of a program repeats. */
    <T> T outside(Supplier<T> body);

    /** Does something now. Not while a program is traced: a call of one does this by itself. */
    void unlessTraced(Runnable action);

    /** The first answer in plain code, and the second while a program is traced. */
    <T> T either(Supplier<T> plain, Supplier<T> traced);

    /** Refuses what cannot be part of a program, while one is traced. */
    void refuseTraced(String op, String problem);

    // ---- places

    /** The value that a place holds, or null. */
    <T> T read(TensorRef<T> place);

    /** Makes a place hold something else, or nothing where that is null. The answer is what is nobody's any more, or null. */
    <T> T write(TensorRef<T> place, T tensor);

    /** The number of the latest node of autograd's graph that is not of this code's making. */
    long nodesBefore();

    // ---- counts

    /** The count of a counter. */
    long count(StepCounter counter);

    void advance(StepCounter counter, long more);

    /**
     * A number that follows from a count.
     *
     * @param name what it is; equal names mean equal formulas
     */
    Number number(StepCounter counter, Object name, LongToDoubleFunction formula);

    /** Takes note that an update is recorded: at once, and while a program is traced by each call of it. */
    <T> void updated(T update, Consumer<T> note);
}
