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

/** One call of a mapped function. Maps nest; the innermost one has the greatest depth. Used only by the thread that runs the function. */
public abstract class BatchLevel {
    private static final ThreadLocal<@Nullable BatchLevel> CURRENT = new ThreadLocal<>();

    /** The treatment of random numbers in a mapped function. */
    public enum Randomness {
        /** Random ops throw. */
        ERROR,
        /** All examples get the same numbers. */
        SAME,
        /** Each example gets different numbers. */
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

    /** Returns the number of examples. */
    public long size() {
        return size;
    }

    /** Returns the shape of all examples from that of one. */
    Shape allOf(Shape one) {
        long[] sizes = new long[one.rank() + 1];
        sizes[0] = size;
        System.arraycopy(one.toArray(), 0, sizes, 1, one.rank());
        return Shape.of(sizes);
    }

    /** True if this map is nested in the other map. */
    public boolean isInside(BatchLevel other) {
        return depth > other.depth;
    }

    Randomness randomness() {
        return randomness;
    }

    /** Applies an op to all examples. The results are tensors that stand for one example. */
    public abstract TensorState[] apply(Op op, Operand[] operands);

    /** Draws random numbers for the mapped function, according to the map's {@link Randomness}. */
    public abstract TensorState random(TensorDevice device, Random op);

    /** Returns the cell to bind to a storage of one example. A source that is the same for all examples is repeated. */
    public abstract Cell written(TensorState source);

    /** Returns the innermost map on this thread, or null. */
    public static @Nullable BatchLevel current() {
        return CURRENT.get();
    }

    /** Runs the body inside this map. */
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

    /** Runs the body in the map around this map, or outside of all maps. */
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

    /** Returns the innermost map that has one of the operands as an example, or null. */
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

    /** Throws for a tensor of one example, because the examples' values differ. */
    public static void requireValue(String op, TensorState tensor) {
        if (States.cell(tensor).batch() != null) {
            throw refusal(op);
        }
    }

    /** Returns the exception for reading a value that differs between examples. */
    public static OpException refusal(String op) {
        return ArgumentChecks.ofCalledOp(new OpException(
                op, "a function that is mapped by vmap has no values of its own: they differ from example to example"));
    }
}
