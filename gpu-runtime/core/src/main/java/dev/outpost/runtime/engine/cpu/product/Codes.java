package dev.outpost.runtime.engine.cpu.product;

import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.engine.cpu.vector.Vectors;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;

/** Weights as small integers, which become the floats {@code (code − zero) · scale}. All arrays are contiguous. */
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

    /** @param in the operands of a product; the last three are the codes, the scales and the zero points */
    static Codes of(int bits, int group, Array[] in, Elementwise elementwise, Scratch scratch) {
        Array codes = elementwise.contiguous(in[1], scratch);
        Array scales = elementwise.contiguous(in[2], DType.FLOAT32, scratch);
        Array zeros = elementwise.contiguous(in[3], scratch);
        return new Codes(
                bits,
                group,
                Math.toIntExact(scales.shape().size(1) * group),
                (byte[]) Elementwise.javaArray(codes),
                (int) codes.layout().offset(),
                Elementwise.buffer(scales).floats(),
                (int) scales.layout().offset(),
                (byte[]) Elementwise.javaArray(zeros),
                (int) zeros.layout().offset());
    }

    /** Writes the weights of some outputs, one output after the other. */
    void write(int first, int count, float[] weights) {
        write(first, count, 0, inputs, weights);
    }

    /** Writes the weights of some outputs for a range of inputs, one output after the other. The range begins and ends at an even input. */
    void write(int first, int count, int from, int to, float[] weights) {
        int place = 0;
        for (int output = first; output < first + count; output++) {
            for (int input = from; input < to; ) {
                int number = input / group;
                int end = Math.min(to, (number + 1) * group);
                int which = output * (inputs / group) + number;
                int code = at + (int) (((long) output * inputs + input) * bits / Byte.SIZE);
                float zero = zeros[atZeros + which] & 0xFF;
                write(code, scales[atScales + which], zero, weights, place, end - input);
                place += end - input;
                input = end;
            }
        }
    }

    private void write(int from, float scale, float zero, float[] weights, int to, int count) {
        if (Vectors.PRESENT && count % VectorCodes.SPAN == 0) {
            if (bits == Byte.SIZE) {
                VectorCodes.bytes(codes, from, scale, zero, weights, to, count);
            } else {
                VectorCodes.halves(codes, from, scale, zero, weights, to, count);
            }
        } else if (bits == Byte.SIZE) {
            for (int place = 0; place < count; place++) {
                weights[to + place] = ((codes[from + place] & 0xFF) - zero) * scale;
            }
        } else {
            for (int place = 0; place < count; place += 2) {
                int both = codes[from + place / 2];
                weights[to + place] = ((both & LOWER) - zero) * scale;
                weights[to + place + 1] = ((both >> 4 & LOWER) - zero) * scale;
            }
        }
    }
}
