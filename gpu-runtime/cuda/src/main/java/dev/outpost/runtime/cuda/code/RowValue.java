package dev.outpost.runtime.cuda.code;

import dev.outpost.protocol.op.Reduce;
import java.util.List;

/** Something that is known of a row: a number for each of its columns, or one for all of it. */
final class RowValue {
    /** Where it comes from. */
    sealed interface Origin {
        /** The value of an operand from outside. */
        record Loaded(int load) implements Origin {}

        record Computed(String expression) implements Origin {}

        /** The fold of all columns. */
        record Folded(Reduce.Fn fn) implements Origin {}
    }

    final String name;
    final CudaType type;
    /** Whether there is one for each column. */
    final boolean isWide;
    /** The first of the loops over the row in which it can be computed; one number is known when that loop begins. */
    final int loop;

    final Origin origin;
    final List<RowValue> operands;

    RowValue(String name, CudaType type, boolean isWide, int loop, Origin origin, List<RowValue> operands) {
        this.name = name;
        this.type = type;
        this.isWide = isWide;
        this.loop = loop;
        this.origin = origin;
        this.operands = List.copyOf(operands);
    }
}
