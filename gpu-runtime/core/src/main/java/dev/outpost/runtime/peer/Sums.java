package dev.outpost.runtime.peer;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.runtime.engine.cpu.vector.Vectors;
import dev.outpost.types.DType;
import dev.outpost.types.Half;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/** Adds arrays of little-endian elements, from the first term to the last. 16-bit floats accumulate in float32. Integers wrap. */
final class Sums {
    private static final VarHandle FLOATS = view(float[].class);
    private static final VarHandle DOUBLES = view(double[].class);
    private static final VarHandle LONGS = view(long[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle SHORTS = view(short[].class);

    private Sums() {}

    private static VarHandle view(Class<?> of) {
        return MethodHandles.byteArrayViewVarHandle(of, ByteOrder.LITTLE_ENDIAN);
    }

    /** @param terms at least one, of equal length */
    static byte[] of(DType dtype, List<byte[]> terms) {
        byte[] sum = new byte[terms.getFirst().length];
        into(dtype, terms.stream().map(Slice::new).toList(), sum, 0);
        return sum;
    }

    /**
     * Writes a sum into an array.
     *
     * @param terms at least one, of equal length; none may overlap the sum
     */
    static void into(DType dtype, List<Slice> terms, byte[] sum, int at) {
        switch (dtype) {
            case FLOAT32 -> floats(terms, sum, at);
            case FLOAT64 -> doubles(terms, sum, at);
            case FLOAT16 -> halves(terms, sum, at, false);
            case BFLOAT16 -> halves(terms, sum, at, true);
            case INT64 -> longs(terms, sum, at);
            case INT32 -> ints(terms, sum, at);
            case INT16 -> shorts(terms, sum, at);
            case INT8, UINT8 -> bytes(terms, sum, at);
            case BOOL -> throw new IllegalArgumentException("bool has no sum");
        }
    }

    private static void floats(List<Slice> terms, byte[] sum, int at) {
        int length = terms.getFirst().length();
        int done = Vectors.arePresent() ? VectorSums.floats(terms, sum, at) : 0;
        for (int index = done; index < length; index += Float.BYTES) {
            float total = (float)
                    FLOATS.get(terms.getFirst().array(), terms.getFirst().from() + index);
            for (int term = 1; term < terms.size(); term++) {
                total += (float)
                        FLOATS.get(terms.get(term).array(), terms.get(term).from() + index);
            }
            FLOATS.set(sum, at + index, total);
        }
    }

    private static void doubles(List<Slice> terms, byte[] sum, int at) {
        for (int index = 0; index < terms.getFirst().length(); index += Double.BYTES) {
            double total = (double)
                    DOUBLES.get(terms.getFirst().array(), terms.getFirst().from() + index);
            for (int term = 1; term < terms.size(); term++) {
                total += (double)
                        DOUBLES.get(terms.get(term).array(), terms.get(term).from() + index);
            }
            DOUBLES.set(sum, at + index, total);
        }
    }

    private static void halves(List<Slice> terms, byte[] sum, int at, boolean isBrain) {
        for (int index = 0; index < terms.getFirst().length(); index += Short.BYTES) {
            float total = half(terms.getFirst(), index, isBrain);
            for (int term = 1; term < terms.size(); term++) {
                total += half(terms.get(term), index, isBrain);
            }
            SHORTS.set(sum, at + index, isBrain ? Half.toBfloat16(total) : Half.toFloat16(total));
        }
    }

    private static float half(Slice term, int index, boolean isBrain) {
        short bits = (short) SHORTS.get(term.array(), term.from() + index);
        return isBrain ? Half.fromBfloat16(bits) : Half.fromFloat16(bits);
    }

    private static void longs(List<Slice> terms, byte[] sum, int at) {
        for (int index = 0; index < terms.getFirst().length(); index += Long.BYTES) {
            long total = 0;
            for (Slice term : terms) {
                total += (long) LONGS.get(term.array(), term.from() + index);
            }
            LONGS.set(sum, at + index, total);
        }
    }

    private static void ints(List<Slice> terms, byte[] sum, int at) {
        for (int index = 0; index < terms.getFirst().length(); index += Integer.BYTES) {
            int total = 0;
            for (Slice term : terms) {
                total += (int) INTS.get(term.array(), term.from() + index);
            }
            INTS.set(sum, at + index, total);
        }
    }

    private static void shorts(List<Slice> terms, byte[] sum, int at) {
        for (int index = 0; index < terms.getFirst().length(); index += Short.BYTES) {
            short total = 0;
            for (Slice term : terms) {
                total += (short) SHORTS.get(term.array(), term.from() + index);
            }
            SHORTS.set(sum, at + index, total);
        }
    }

    private static void bytes(List<Slice> terms, byte[] sum, int at) {
        for (int index = 0; index < terms.getFirst().length(); index++) {
            byte total = 0;
            for (Slice term : terms) {
                total += term.array()[term.from() + index];
            }
            sum[at + index] = total;
        }
    }
}
