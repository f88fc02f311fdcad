package dev.outpost.runtime.memory;

import dev.outpost.types.DType;
import dev.outpost.types.Half;

/**
 * A buffer in a Java array: {@code float[]}, {@code double[]}, {@code long[]}, {@code int[]}; {@code short[]} for int16
 * and, as raw bits, for the 16-bit floats; {@code byte[]} for int8, uint8 and bool (0 or 1). These are arrays rather
 * than memory segments, because the JVM vectorises plain loops over them, and a foreign call can pin them without a
 * copy.
 */
public final class HeapBuffer implements EngineBuffer {
    private final DType dtype;
    private final Object array;
    private final int length;

    private HeapBuffer(DType dtype, Object array, int length) {
        this.dtype = dtype;
        this.array = array;
        this.length = length;
    }

    /** Returns a zeroed buffer. Throws an {@link OutOfMemoryError} if the heap has no room. */
    public static HeapBuffer allocate(DType dtype, int elements) {
        Object array = switch (dtype) {
            case FLOAT32 -> new float[elements];
            case FLOAT64 -> new double[elements];
            case INT64 -> new long[elements];
            case INT32 -> new int[elements];
            case FLOAT16, BFLOAT16, INT16 -> new short[elements];
            case INT8, UINT8, BOOL -> new byte[elements];
        };
        return new HeapBuffer(dtype, array, elements);
    }

    @Override
    public DType dtype() {
        return dtype;
    }

    @Override
    public long elements() {
        return length;
    }

    /** Returns the Java array itself. */
    public Object array() {
        return array;
    }

    public float[] floats() {
        return (float[]) array;
    }

    public double[] doubles() {
        return (double[]) array;
    }

    public long[] longs() {
        return (long[]) array;
    }

    public int[] ints() {
        return (int[]) array;
    }

    public short[] shorts() {
        return (short[]) array;
    }

    public byte[] bytesArray() {
        return (byte[]) array;
    }

    /** Returns an element of any dtype as a double; exact for all but large int64. */
    public double getDouble(int index) {
        return switch (dtype) {
            case FLOAT32 -> floats()[index];
            case FLOAT64 -> doubles()[index];
            case FLOAT16 -> Half.fromFloat16(shorts()[index]);
            case BFLOAT16 -> Half.fromBfloat16(shorts()[index]);
            case INT64, INT32, INT16, INT8, UINT8, BOOL -> getLong(index);
        };
    }

    /** Returns an element of any dtype as a long; floats truncate toward zero. */
    public long getLong(int index) {
        return switch (dtype) {
            case INT64 -> longs()[index];
            case INT32 -> ints()[index];
            case INT16 -> shorts()[index];
            case INT8, BOOL -> bytesArray()[index];
            case UINT8 -> bytesArray()[index] & 0xff;
            case FLOAT32, FLOAT64, FLOAT16, BFLOAT16 -> (long) getDouble(index);
        };
    }

    /** Stores a double, rounding once to the dtype. Integral dtypes truncate and wrap, bool is "not zero". */
    public void setDouble(int index, double value) {
        switch (dtype) {
            case FLOAT32 -> floats()[index] = (float) value;
            case FLOAT64 -> doubles()[index] = value;
            case FLOAT16 -> shorts()[index] = Half.toFloat16((float) value);
            case BFLOAT16 -> shorts()[index] = Half.toBfloat16((float) value);
            case BOOL -> bytesArray()[index] = (byte) (value != 0 ? 1 : 0);
            case INT64, INT32, INT16, INT8, UINT8 -> setLong(index, (long) value);
        }
    }

    /** Stores a long. Narrower integers wrap, bool is "not zero". */
    public void setLong(int index, long value) {
        switch (dtype) {
            case INT64 -> longs()[index] = value;
            case INT32 -> ints()[index] = (int) value;
            case INT16 -> shorts()[index] = (short) value;
            case INT8, UINT8 -> bytesArray()[index] = (byte) value;
            case BOOL -> bytesArray()[index] = (byte) (value != 0 ? 1 : 0);
            // Converted directly: a conversion through a double would round a second time.
            case FLOAT32 -> floats()[index] = (float) value;
            case FLOAT64, FLOAT16, BFLOAT16 -> setDouble(index, (double) value);
        }
    }
}
