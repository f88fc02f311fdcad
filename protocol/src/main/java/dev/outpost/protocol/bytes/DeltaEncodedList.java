package dev.outpost.protocol.bytes;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A list of numbers in the encoded form of {@link DeltaEncoding}. It takes only as much memory as its bytes on the wire, and decodes the
 * numbers during iteration.
 */
public final class DeltaEncodedList {
    private final int count;
    private final byte[] steps;

    private DeltaEncodedList(int count, byte[] steps) {
        this.count = count;
        this.steps = steps;
    }

    public static DeltaEncodedList of(long... numbers) {
        ByteWriter out = new ByteWriter();
        DeltaEncoding.write(out, numbers);
        return new DeltaEncodedList(numbers.length, out.toByteArray());
    }

    /** Reads the given number of numbers. Their bytes limit the time. The caller limits the count. */
    public static DeltaEncodedList read(ByteReader in, int count) {
        ByteWriter out = new ByteWriter();
        DeltaEncoding.copy(in, count, out);
        return new DeltaEncodedList(count, out.toByteArray());
    }

    /** Writes the numbers without their count. */
    public void write(ByteWriter out) {
        out.bytes(steps);
    }

    /** Returns the number of numbers. */
    public int count() {
        return count;
    }

    /** Returns the number of bytes that the list takes in memory. */
    public int bytes() {
        return steps.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeltaEncodedList list && count == list.count && Arrays.equals(steps, list.steps);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(steps) + count;
    }

    public void forEach(LongConsumer receiver) {
        DeltaEncoding.forEach(new ByteReader(steps), count, receiver);
    }
}
