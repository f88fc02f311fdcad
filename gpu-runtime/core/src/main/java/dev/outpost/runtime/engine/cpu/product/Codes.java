package dev.outpost.runtime.engine.cpu.product;

import dev.outpost.protocol.op.QuantizedMatmul;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.vector.Vectors;
import dev.outpost.runtime.memory.Array;

/** Weights as small integers, and how floats are made of them: {@code (code − zero) · scale}. All of them lie without gaps. */
record Codes(
        int bits,
        int group,
        int inputs,
        byte[] codes,
        int at,
        float[] scales,
        int atScales,
        byte[] zeros,
        int atZeros) {
    private static final int LOWER = 15;

    Codes(QuantizedMatmul op, Array codes, Array scales, Array zeros) {
        this(
                op.bits(),
                op.group(),
                Math.toIntExact(scales.shape().size(1) * op.group()),
                (byte[]) Elementwise.javaArray(codes),
                (int) codes.layout().offset(),
                Elementwise.buffer(scales).floats(),
                (int) scales.layout().offset(),
                (byte[]) Elementwise.javaArray(zeros),
                (int) zeros.layout().offset());
    }

    /** Writes the weights of some outputs, one output behind the other. */
    void write(int first, int count, float[] weights) {
        int groups = inputs / group;
        for (int number = 0; number < count * groups; number++) {
            int which = first * groups + number;
            write(which, scales[atScales + which], zeros[atZeros + which] & 0xFF, weights, number * group);
        }
    }

    private void write(int which, float scale, float zero, float[] weights, int to) {
        int from = at + (int) ((long) which * group * bits / Byte.SIZE);
        if (Vectors.PRESENT && group % VectorCodes.SPAN == 0) {
            if (bits == Byte.SIZE) {
                VectorCodes.bytes(codes, from, scale, zero, weights, to, group);
            } else {
                VectorCodes.halves(codes, from, scale, zero, weights, to, group);
            }
        } else if (bits == Byte.SIZE) {
            for (int place = 0; place < group; place++) {
                weights[to + place] = ((codes[from + place] & 0xFF) - zero) * scale;
            }
        } else {
            for (int place = 0; place < group; place += 2) {
                int both = codes[from + place / 2];
                weights[to + place] = ((both & LOWER) - zero) * scale;
                weights[to + place + 1] = ((both >> 4 & LOWER) - zero) * scale;
            }
        }
    }
}
