package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.Random;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.random.Philox;
import dev.outpost.types.DType;

/** Draws of {@link Philox}, by the row-major index of each element. */
final class RandomElements {
    /** The number of significand bits of float16, which is also the number of bits taken from a draw. */
    private static final int FLOAT16_BITS = 11;

    private static final int BFLOAT16_BITS = 8;

    private final Random op;
    private final DType dtype;
    private final int[] words = new int[4];

    private RandomElements(Random op, DType dtype) {
        this.op = op;
        this.dtype = dtype;
    }

    static void fill(Random op, Array out) {
        RandomElements draws = new RandomElements(op, out.dtype());
        ElementCursor target = ElementCursor.of(out);
        for (long index = 0; index < out.shape().elements(); index++) {
            draws.put(op.part().element(index), target);
        }
    }

    private void put(long index, ElementCursor target) {
        switch (op.fn()) {
            case UNIFORM -> target.put(uniform(index));
            case NORMAL -> target.put(normal(index));
            case INTEGER -> target.put(integer(index));
        }
    }

    private double uniform(long index) {
        return switch (dtype) {
            case FLOAT64 -> wideUniform(index);
            case FLOAT32 -> Philox.uniformFloat(shortDraw(index));
            case FLOAT16 -> Philox.uniformFloat(shortDraw(index), FLOAT16_BITS);
            case BFLOAT16 -> Philox.uniformFloat(shortDraw(index), BFLOAT16_BITS);
            case INT64, INT32, INT16, INT8, UINT8, BOOL ->
                throw new IllegalStateException("rand has no meaning for " + dtype + ", and its rule refuses it");
        };
    }

    private double wideUniform(long index) {
        int low = drawLong(index);
        return Philox.uniformDouble(words[low], words[low + 1]);
    }

    private double normal(long index) {
        int low = drawLong(index);
        return Philox.normal(words[low], words[low + 1]);
    }

    private long integer(long index) {
        int low = drawLong(index);
        return Philox.integer(words[low], words[low + 1], op.low(), op.high());
    }

    private int shortDraw(long index) {
        Philox.block(op.seed(), op.call(), index / 4, words);
        return words[(int) (index % 4)];
    }

    /** Fills {@link #words} and returns the index of the draw's low word. */
    private int drawLong(long index) {
        Philox.block(op.seed(), op.call(), index / 2, words);
        return 2 * (int) (index % 2);
    }
}
