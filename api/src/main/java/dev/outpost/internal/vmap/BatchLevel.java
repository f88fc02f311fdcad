package dev.outpost.internal.vmap;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.calls.SourceLine;
import dev.outpost.internal.Cell;
import dev.outpost.internal.Operand;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.TensorState;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Random;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call of a mapped function. Maps nest: the innermost has the greatest depth. It belongs to the thread that runs the function. */
public abstract class BatchLevel {
    private static final ThreadLocal<@Nullable BatchLevel> CURRENT = new ThreadLocal<>();

    /** How random numbers are drawn in a mapped function. */
    public enum Randomness {
        /** They are refused. */
        ERROR,
        /** All examples have the same. */
        SAME,
        /** Each example has its own. */
        DIFFERENT
    }

    private final int depth;
    private final long size;
    private final Randomness randomness;
    private @Nullable BatchLevel outer;
    private boolean isOpen;

    protected BatchLevel(long size, Randomness randomness) {
        BatchLevel current = CURRENT.get();
        depth = current == null ? 0 : current.depth + 1;
        this.size = size;
        this.randomness = randomness;
    }

    /** How many examples there are. */
    public long size() {
        return size;
    }

    /** The shape of all examples. */
    Shape allOf(Shape one) {
        long[] sizes = new long[one.rank() + 1];
        sizes[0] = size;
        System.arraycopy(one.toArray(), 0, sizes, 1, one.rank());
        return Shape.of(sizes);
    }

    /** Whether it is nested in another one. */
    public boolean isInside(BatchLevel other) {
        return depth > other.depth;
    }

    Randomness randomness() {
        return randomness;
    }

    /** Applies an op to all examples; the results are those of one. */
    public abstract TensorState[] apply(Op op, Operand[] operands);

    /** Draws random numbers for the function that is mapped, as the map says. */
    public abstract TensorState random(TensorDevice device, Random op);

    /** What is written to a storage of one example: where the source is the same for all examples, it is repeated. */
    public abstract Cell written(TensorState source);

    /** The innermost map that this thread is in, or null. */
    public static @Nullable BatchLevel current() {
        return CURRENT.get();
    }

    /** Computes inside of the map. */
    public <T> T inside(Supplier<T> body) {
        boolean wasOpen = isOpen;
        BatchLevel before = CURRENT.get();
        outer = wasOpen ? outer : before;
        isOpen = true;
        CURRENT.set(this);
        try {
            return body.get();
        } finally {
            isOpen = wasOpen;
            restore(before);
        }
    }

    /** Computes as the map around this one would, or as no map. */
    <T> T outside(Supplier<T> body) {
        BatchLevel before = CURRENT.get();
        restore(outer);
        try {
            return body.get();
        } finally {
            restore(before);
        }
    }

    private static void restore(@Nullable BatchLevel level) {
        if (level == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(level);
        }
    }

    /** The innermost map that one of these is an example of, or null. */
    public static @Nullable BatchLevel of(Operand... operands) {
        BatchLevel innermost = null;
        for (Operand operand : operands) {
            BatchedTensor batched =
                    operand instanceof TensorState tensor ? States.cell(tensor).batch() : null;
            if (batched != null && (innermost == null || batched.level().isInside(innermost))) {
                innermost = batched.level();
            }
        }
        if (innermost != null) {
            innermost.requireOpen();
        }
        return innermost;
    }

    private void requireOpen() {
        if (!isOpen) {
            throw new OpException(
                    SourceLine.calledOp(),
                    "a tensor of a mapped function is used outside of it, where it has no value; return it from the"
                            + " function");
        }
    }

    /** Fails for an example's tensor: the examples' values differ. */
    public static void requireValue(String op, TensorState tensor) {
        if (States.cell(tensor).batch() != null) {
            throw refusal(op);
        }
    }

    /** The refusal of a value that would be another one for each example. */
    public static OpException refusal(String op) {
        return ArgumentChecks.ofCalledOp(new OpException(
                op, "a function that is mapped by vmap has no values of its own: they differ from example to example"));
    }
}
