package dev.outpost.models.constraint;

import dev.outpost.types.OutpostException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Counts the steps of a compilation. Ends the compilation if it takes too many or is cancelled. Not thread-safe. */
final class Effort {
    /** The steps between two checks for cancellation: less than a millisecond. */
    private static final int STEPS = 1 << 14;

    private final long max;
    private final BooleanSupplier isCancelled;
    private final Supplier<OutpostException> refusal;
    private long spent;
    private long asked;

    /** @param max the maximum number of steps; a step takes some nanoseconds */
    Effort(long max, BooleanSupplier isCancelled) {
        this(max, isCancelled, Effort::schemaRefusal);
    }

    /** @param refusal makes the exception for more steps */
    Effort(long max, BooleanSupplier isCancelled, Supplier<OutpostException> refusal) {
        this.max = max;
        this.isCancelled = isCancelled;
        this.refusal = refusal;
    }

    private static OutpostException schemaRefusal() {
        return SchemaDocument.refusal("it takes too many steps to be enforced; patterns, numbers, alternatives"
                + " and lists that are large or many have too many states together");
    }

    /** Returns an effort without a limit, for constants. */
    static Effort unlimited() {
        return new Effort(Long.MAX_VALUE, () -> false);
    }

    void spend(long steps) {
        spent += steps;
        if (spent < asked) {
            return;
        }
        asked = spent + STEPS;
        if (isCancelled.getAsBoolean()) {
            throw new CompilationCancelledException();
        }
        if (spent > max) {
            throw refusal.get();
        }
    }

    /** Returns the number of steps so far. */
    long spent() {
        return spent;
    }
}
