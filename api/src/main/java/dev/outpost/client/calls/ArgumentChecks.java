package dev.outpost.client.calls;

import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.List;

/** Checks the arguments of ops, and adds the name of the op that the program called to exceptions. */
public final class ArgumentChecks {
    /** The name of a scope around the user's own ops. */
    private static final String TIDY = "tidy";

    private ArgumentChecks() {}

    /**
     * Throws, in the name of the op that the user called, if the argument is null.
     *
     * @param what the argument's description, such as {@code the index}
     */
    public static <T> T required(T argument, String what) {
        if (argument == null) {
            throw new OpException(SourceLine.calledOp(), what + " must not be null");
        }
        return argument;
    }

    /** Returns a shape. Fails for invalid sizes, in the name of the op that the user called. */
    public static Shape shape(long... sizes) {
        try {
            return Shape.of(required(sizes, "the shape"));
        } catch (OpException failure) {
            throw ofCalledOp(failure);
        }
    }

    /** Returns the exception with the name of the op that the user called, if that op is composed of other ops. */
    public static OpException ofCalledOp(OpException refused) {
        String called = SourceLine.calledOp();
        boolean isTold = called.isEmpty()
                || called.equals(TIDY)
                || refused.op().equals(called)
                || refused.op().endsWith("_" + called);
        return isTold ? refused : refused.of(called);
    }

    /** Same as {@link #requiredEach(Iterable, String)}. Returns a view of the array. */
    public static <T> List<T> requiredEach(T[] arguments, String what) {
        return requiredEach(Arrays.asList(required(arguments, what)), what);
    }

    /** Fails if a list is null or contains null. */
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
