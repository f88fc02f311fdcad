package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.runtime.memory.HeapBuffer;

/** Combines the source element of a scatter with the element at its target. Every step rounds to the dtype. */
record ScatterCombine(Scatter.Fn fn, HeapBuffer source, HeapBuffer target) {
    void join(int from, int to) {
        switch (fn) {
            case SET -> ElementCursor.copy(source, from, target, to);
            case ADD -> combine(Binary.ADD, from, to);
            case MUL -> combine(Binary.MUL, from, to);
            case MAX -> combine(Binary.MAXIMUM, from, to);
            case MIN -> combine(Binary.MINIMUM, from, to);
        }
    }

    private void combine(Binary op, int from, int to) {
        if (target.dtype().isFloating()) {
            double joined = BinaryMeaning.ofDoubles(op, target.dtype())
                    .applyAsDouble(target.getDouble(to), source.getDouble(from));
            target.setDouble(to, joined);
        } else {
            long joined = BinaryMeaning.ofLongs(op).applyAsLong(target.getLong(to), source.getLong(from));
            target.setLong(to, joined);
        }
    }
}
