package dev.outpost.protocol.bytes;

import dev.outpost.types.MalformedException;
import java.util.function.LongConsumer;

/**
 * The encoding of lists of numbers that mostly rise or fall evenly, such as ids. Each number is written as the step from the previous one.
 * A run of equal steps of any length takes two numbers.
 */
public final class DeltaEncoding {
    /**
     * The token of a run of steps equal to the last one. The length of the run follows. Other steps are written as their zigzag plus one.
     */
    private static final int RUN = 0;

    private DeltaEncoding() {}

    /** Writes the numbers without their count. No two neighbours may be 2^63 apart. */
    public static void write(ByteWriter out, long[] values) {
        long previous = 0;
        int index = 0;
        while (index < values.length) {
            long step = values[index] - previous;
            if (step == Long.MIN_VALUE) {
                throw new IllegalArgumentException("a step of 2^63 cannot be written");
            }
            out.varint(((step << 1) ^ (step >> 63)) + 1);
            int next = index + 1;
            while (next < values.length && values[next] - values[next - 1] == step) {
                next++;
            }
            int run = next - index - 1;
            if (run > 1) {
                out.varint(RUN);
                out.varint(run);
                index += run;
            }
            previous = values[index++];
        }
    }

    /** Reads the given number of numbers. The caller limits the count, because a few bytes may encode any number of values. */
    public static long[] read(ByteReader in, int count) {
        long[] values = new long[count];
        int[] next = {0};
        forEach(in, count, value -> values[next[0]++] = value);
        return values;
    }

    /** Passes the given number of numbers one by one. */
    static void forEach(ByteReader in, int count, LongConsumer receiver) {
        long value = 0;
        long step = 0;
        int left = count;
        while (left > 0) {
            long token = in.varint();
            int run = 1;
            if (token == RUN) {
                run = run(in, left);
            } else {
                step = ((token - 1) >>> 1) ^ -((token - 1) & 1);
            }
            left -= run;
            for (int index = 0; index < run; index++) {
                value += step;
                receiver.accept(value);
            }
        }
    }

    /** Copies the encoding of the given number of numbers, without decoding them. */
    static void copy(ByteReader in, int count, ByteWriter out) {
        int left = count;
        while (left > 0) {
            long token = in.varint();
            out.varint(token);
            int run = token == RUN ? run(in, left) : 1;
            if (token == RUN) {
                out.varint(run);
            }
            left -= run;
        }
    }

    private static int run(ByteReader in, int max) {
        int run = in.smallInt("run length");
        if (run > max) {
            throw new MalformedException("a run of " + run + " numbers where at most " + max + " follow");
        }
        return run;
    }
}
