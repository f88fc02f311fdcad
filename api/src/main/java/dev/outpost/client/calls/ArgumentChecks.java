package dev.outpost.client.calls;

import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;

/** Checks of the arguments of ops, and the name of the op that the program called. */
public final class ArgumentChecks {
    /** A scope around the user's own ops. */
    private static final String TIDY = "tidy";

    private ArgumentChecks() {}

    /**
     * Fails, in the name of the op that the user called, for null.
     *
     * @param what the argument, as {@code the index}
     */
    public static <T> T required(T argument, String what) {
        if (argument == null) {
            throw new OpException(SourceLine.calledOp(), what + " must not be null");
        }
        return argument;
    }

    /** A shape; sizes that cannot be are refused in the name of the op that the user called. */
    public static Shape shape(long... sizes) {
        try {
            return Shape.of(required(sizes, "the shape"));
        } catch (OpException failure) {
            throw ofCalledOp(failure);
        }
    }

    /** An op that is made of others refuses under its own name. */
    public static OpException ofCalledOp(OpException refused) {
        String called = SourceLine.calledOp();
        boolean isTold = called.isEmpty()
                || called.equals(TIDY)
                || refused.op().equals(called)
                || refused.op().endsWith("_" + called);
        return isTold ? refused : refused.of(called);
    }

    /** As {@link #requiredEach(Iterable, String)}; the answer is a view of the array. */
    public static <T> List<T> requiredEach(T[] arguments, String what) {
        return requiredEach(Arrays.asList(required(arguments, what)), what);
    }

    /** Fails for a list that is null, or has a null in it. */
    public static <C extends Iterable<?>> C requiredEach(C arguments, String what) {
        int index = 0;
        for (Object argument : required(arguments, what)) {
            if (argument == null) {
                throw new OpException(SourceLine.calledOp(), "element " + index + " of " + what + " must not be null");
            }
            index++;
        }
        return arguments;
    }
}
