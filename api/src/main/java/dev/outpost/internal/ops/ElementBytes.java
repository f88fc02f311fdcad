package dev.outpost.internal.ops;

import dev.outpost.types.DType;
import dev.outpost.types.Half;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads and writes single elements of any dtype in little-endian bytes. */
public final class ElementBytes {
    private static final VarHandle SHORT = view(short[].class);
    private static final VarHandle INT = view(int[].class);
    private static final VarHandle LONG = view(long[].class);
    private static final VarHandle FLOAT = view(float[].class);
    private static final VarHandle DOUBLE = view(double[].class);

    private ElementBytes() {}

    private static VarHandle view(Class<?> arrayType) {
        return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.LITTLE_ENDIAN);
    }

    public static double readDouble(DType dtype, byte[] bytes, int index) {
        int at = index * dtype.bytes();
        return switch (dtype) {
            case FLOAT32 -> (float) FLOAT.get(bytes, at);
            case FLOAT64 -> (double) DOUBLE.get(bytes, at);
            case FLOAT16 -> Half.fromFloat16((short) SHORT.get(bytes, at));
            case BFLOAT16 -> Half.fromBfloat16((short) SHORT.get(bytes, at));
            case INT64, INT32, INT16, INT8, UINT8, BOOL -> readIntegral(dtype, bytes, at);
        };
    }

    /** Reads an element as an integer. Floating elements are truncated toward zero. */
    public static long readLong(DType dtype, byte[] bytes, int index) {
        return dtype.isFloating()
                ? (long) readDouble(dtype, bytes, index)
                : readIntegral(dtype, bytes, index * dtype.bytes());
    }

    private static long readIntegral(DType dtype, byte[] bytes, int at) {
        return switch (dtype) {
            case INT64 -> (long) LONG.get(bytes, at);
            case INT32 -> (int) INT.get(bytes, at);
            case INT16 -> (short) SHORT.get(bytes, at);
            case INT8 -> bytes[at];
            case UINT8 -> bytes[at] & 0xff;
            case BOOL -> bytes[at] == 0 ? 0 : 1;
            case FLOAT32, FLOAT64, FLOAT16, BFLOAT16 -> throw new AssertionError(dtype + " is not integral");
        };
    }

    /** Copies one element into another dtype, rounding and wrapping as a cast does. */
    public static void convert(DType from, byte[] source, DType to, byte[] target, int index) {
        int at = index * to.bytes();
        switch (to) {
            case FLOAT32 -> FLOAT.set(target, at, (float) readDouble(from, source, index));
            case FLOAT64 -> DOUBLE.set(target, at, readDouble(from, source, index));
            case FLOAT16 -> SHORT.set(target, at, Half.toFloat16((float) readDouble(from, source, index)));
            case BFLOAT16 -> SHORT.set(target, at, Half.toBfloat16((float) readDouble(from, source, index)));
            case INT64 -> LONG.set(target, at, readLong(from, source, index));
            case INT32 -> INT.set(target, at, (int) readLong(from, source, index));
            case INT16 -> SHORT.set(target, at, (short) readLong(from, source, index));
            case INT8, UINT8 -> target[at] = (byte) readLong(from, source, index);
            case BOOL -> target[at] = (byte) (readDouble(from, source, index) == 0 ? 0 : 1);
        }
    }
}
