package dev.outpost.client.program;

import dev.outpost.client.numbers.StepCounter;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongToDoubleFunction;
import java.util.function.Supplier;

/**
 * Access to Java state other than tensors, such as counters and gradients. Plain code reads and changes the state at
 * once. Tracing does not change Java state: each call of the program checks the reads again and applies the writes.
 */
public interface HostState {
    /**
     * Records that the recorded program depends on a fact. A call does not use a trace for which the fact was different.
     *
     * @param key the subject of the fact; each key is evaluated once
     * @param fact returns the fact, which is compared by {@code equals}
     */
    <K> void assume(K key, Function<K, ?> fact);

    /** Runs a body once, now, outside of the trace; calls of the program do not repeat it. */
    <T> T outside(Supplier<T> body);

    /**
     * Runs an action now, unless a program is traced. A call of the program has the same effect without this action.
     */
    void unlessTraced(Runnable action);

    /** Runs {@code plain} in plain code, and {@code traced} while a program is traced. */
    <T> T either(Supplier<T> plain, Supplier<T> traced);

    /** Fails while a program is traced, for an operation that cannot be part of a program. */
    void refuseTraced(String op, String problem);

    // ---- places

    /** Returns the tensor that a place holds, or null. */
    <T> T read(TensorRef<T> place);

    /**
     * Stores a tensor in a place; null empties the place. Returns the tensor that no place holds any more, or null.
     */
    <T> T write(TensorRef<T> place, T tensor);

    /** Returns the number of the latest node of autograd's graph that this code did not create. */
    long nodesBefore();

    // ---- counts

    /** Returns the count of a counter. */
    long count(StepCounter counter);

    void advance(StepCounter counter, long more);

    /**
     * Returns a number that is computed from a count.
     *
     * @param name the identity of the formula; equal names mean equal formulas
     */
    Number number(StepCounter counter, Object name, LongToDoubleFunction formula);

    /**
     * Passes an update to a function when the update has been recorded: in plain code at once, and while a program is
     * traced, at each call of the program.
     */
    <T> void updated(T update, Consumer<T> note);
}
