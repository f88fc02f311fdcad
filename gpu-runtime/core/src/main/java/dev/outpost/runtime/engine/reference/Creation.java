package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.Fill;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Scalar;

/** Ops without operands. */
final class Creation {
    private Creation() {}

    static void fill(Fill op, Array out) {
        Scalar value = op.value();
        ElementCursor target = ElementCursor.of(out);
        for (long count = out.shape().elements(); count > 0; count--) {
            if (value.dtype().isFloating()) {
                target.put(value.asDouble());
            } else {
                target.put(value.asLong());
            }
        }
    }

    static void arange(Arange op, Array out) {
        ElementCursor target = ElementCursor.of(out);
        boolean floating = op.start().dtype().isFloating();
        for (long index = 0; index < op.length(); index++) {
            if (floating) {
                target.put(op.start().asDouble() + index * op.step().asDouble());
            } else {
                target.put(op.start().asLong() + index * op.step().asLong());
            }
        }
    }
}
