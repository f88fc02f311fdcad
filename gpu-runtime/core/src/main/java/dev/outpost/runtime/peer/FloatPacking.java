package dev.outpost.runtime.peer;

import dev.outpost.protocol.op.WireFormat;
import dev.outpost.types.Half;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Packs little-endian float32 elements into fewer bits, in a {@link WireFormat}. In integer formats, a group that
 * contains an infinity or a NaN becomes NaN as a whole, so that values that are not finite stay visible.
 */
final class FloatPacking {
    private static final VarHandle FLOATS =
            MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    private FloatPacking() {}

    /** @param elements the number of floats, starting at byte {@code at} */
    static byte[] pack(WireFormat format, byte[] floats, int at, int elements) {
        byte[] packed = new byte[Math.toIntExact(format.bytes(elements))];
        switch (format) {
            case EXACT -> System.arraycopy(floats, at, packed, 0, packed.length);
            case BFLOAT16 -> {
                for (int index = 0; index < elements; index++) {
                    SHORTS.set(packed, 2 * index, Half.toBfloat16((float) FLOATS.get(floats, at + 4 * index)));
                }
            }
            case INT8, INT4 -> packIntegers(format, floats, at, elements, packed);
        }
        return packed;
    }

    private static void packIntegers(WireFormat format, byte[] floats, int at, int elements, byte[] packed) {
        int groupBytes = (int) format.bytes(WireFormat.GROUP);
        for (int first = 0; first < elements; first += WireFormat.GROUP) {
            int count = Math.min(WireFormat.GROUP, elements - first);
            int target = first / WireFormat.GROUP * groupBytes;
            float scale = scale(format, floats, at + 4 * first, count);
            FLOATS.set(packed, target, scale);
            for (int index = 0; index < count; index++) {
                float value = (float) FLOATS.get(floats, at + 4 * (first + index));
                int integer = scale == 0 || Float.isNaN(scale) ? 0 : Math.round(value / scale);
                put(format, packed, target + Float.BYTES, index, integer);
            }
        }
    }

    private static float scale(WireFormat format, byte[] floats, int at, int count) {
        float largest = 0;
        for (int index = 0; index < count; index++) {
            largest = Math.max(largest, Math.abs((float) FLOATS.get(floats, at + 4 * index)));
        }
        return Float.isInfinite(largest) ? Float.NaN : largest / format.largest();
    }

    private static void put(WireFormat format, byte[] packed, int at, int index, int integer) {
        if (format == WireFormat.INT8) {
            packed[at + index] = (byte) integer;
        } else {
            int shift = index % 2 * 4;
            packed[at + index / 2] |= (byte) ((integer & 0xf) << shift);
        }
    }

    /** Unpacks elements that {@link #pack} packed. */
    static void unpack(WireFormat format, byte[] packed, byte[] floats, int at, int elements) {
        switch (format) {
            case EXACT -> System.arraycopy(packed, 0, floats, at, packed.length);
            case BFLOAT16 -> {
                for (int index = 0; index < elements; index++) {
                    FLOATS.set(floats, at + 4 * index, Half.fromBfloat16((short) SHORTS.get(packed, 2 * index)));
                }
            }
            case INT8, INT4 -> unpackIntegers(format, packed, floats, at, elements);
        }
    }

    private static void unpackIntegers(WireFormat format, byte[] packed, byte[] floats, int at, int elements) {
        int groupBytes = (int) format.bytes(WireFormat.GROUP);
        for (int index = 0; index < elements; index++) {
            int group = index / WireFormat.GROUP * groupBytes;
            float scale = (float) FLOATS.get(packed, group);
            int integer = integer(format, packed, group + Float.BYTES, index % WireFormat.GROUP);
            FLOATS.set(floats, at + 4 * index, scale * integer);
        }
    }

    private static int integer(WireFormat format, byte[] packed, int at, int index) {
        if (format == WireFormat.INT8) {
            return packed[at + index];
        }
        int shift = 28 - index % 2 * 4;
        return packed[at + index / 2] << shift >> 28;
    }
}
