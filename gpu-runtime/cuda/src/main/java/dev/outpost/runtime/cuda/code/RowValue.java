package dev.outpost.runtime.cuda.code;

import dev.outpost.protocol.op.Reduce;
import java.util.List;

/** A value of a row: a number for each of its columns, or one for the whole row. */
final class RowValue {
    /** The origin of the value. */
    sealed interface Origin {
        /** The value of an operand from outside. */
        record Loaded(int load) implements Origin {}

        record Computed(String expression) implements Origin {}

        /** The fold of all columns. */
        record Folded(Reduce.Fn fn) implements Origin {}
    }

    final String name;
    final CudaType type;
    /** True if the value has a number for each column. */
    final boolean isWide;
    /** The first loop over the row in which the value can be computed. A value of one number is known at the beginning of that loop. */
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
