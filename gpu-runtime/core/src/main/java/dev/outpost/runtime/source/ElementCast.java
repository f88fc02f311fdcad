package dev.outpost.runtime.source;

import dev.outpost.types.DType;
import dev.outpost.types.Half;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Casts of little-endian elements between floating dtypes, rounded to the nearest, ties to even. */
final class ElementCast {
    private ElementCast() {}

    /** True if elements of one dtype can be loaded as another. */
    static boolean isPossible(DType from, DType to) {
        return from == to || from.isFloating() && to.isFloating();
    }

    /** Returns the elements in the other dtype; the same array if the dtypes are equal. */
    static byte[] cast(DType from, byte[] source, DType to) {
        if (from == to) {
            return source;
        }
        int count = source.length / from.bytes();
        byte[] target = new byte[Math.multiplyExact(count, to.bytes())];
        cast(from, source, to, target, count);
        return target;
    }

    /** @param target the destination, with room for as many elements as the source has */
    static void cast(DType from, byte[] source, DType to, byte[] target, int count) {
        ByteBuffer in = littleEndian(source);
        ByteBuffer out = littleEndian(target);
        for (int index = 0; index < count; index++) {
            if (from == DType.FLOAT64) {
                write(in.getDouble(8 * index), to, out, index);
            } else {
                write(single(from, in, index), to, out, index);
            }
        }
    }

    private static float single(DType from, ByteBuffer in, int index) {
        return switch (from) {
            case FLOAT32 -> in.getFloat(4 * index);
            case FLOAT16 -> Half.fromFloat16(in.getShort(2 * index));
            case BFLOAT16 -> Half.fromBfloat16(in.getShort(2 * index));
            default -> throw new IllegalArgumentException("a cast of " + from);
        };
    }

    private static void write(double value, DType to, ByteBuffer out, int index) {
        switch (to) {
            case FLOAT64 -> out.putDouble(8 * index, value);
            case FLOAT32 -> out.putFloat(4 * index, (float) value);
            case FLOAT16 -> out.putShort(2 * index, Half.toFloat16((float) value));
            case BFLOAT16 -> out.putShort(2 * index, Half.toBfloat16((float) value));
            default -> throw new IllegalArgumentException("a cast to " + to);
        }
    }

    private static void write(float value, DType to, ByteBuffer out, int index) {
        switch (to) {
            case FLOAT64 -> out.putDouble(8 * index, value);
            case FLOAT32 -> out.putFloat(4 * index, value);
            case FLOAT16 -> out.putShort(2 * index, Half.toFloat16(value));
            case BFLOAT16 -> out.putShort(2 * index, Half.toBfloat16(value));
            default -> throw new IllegalArgumentException("a cast to " + to);
        }
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
