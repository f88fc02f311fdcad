package dev.outpost.runtime.memory;

import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.types.Layout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Copies between heap buffers and the little-endian bytes of messages and files. */
public final class HeapTransfer {
    private HeapTransfer() {}

    /** Copies whole elements into a buffer, starting at element {@code offset}. */
    public static void write(HeapBuffer target, long offset, Bytes source) {
        int unit = target.dtype().bytes();
        int[] first = {Math.toIntExact(offset)};
        source.forEach(unit, piece -> {
            int count = piece.remaining() / unit;
            write(target, first[0], count, piece);
            first[0] += count;
        });
    }

    private static void write(HeapBuffer target, int first, int count, ByteBuffer bytes) {
        switch (target.dtype()) {
            case FLOAT32 -> bytes.asFloatBuffer().get(target.floats(), first, count);
            case FLOAT64 -> bytes.asDoubleBuffer().get(target.doubles(), first, count);
            case INT64 -> bytes.asLongBuffer().get(target.longs(), first, count);
            case INT32 -> bytes.asIntBuffer().get(target.ints(), first, count);
            case FLOAT16, BFLOAT16, INT16 -> bytes.asShortBuffer().get(target.shorts(), first, count);
            case INT8, UINT8 -> bytes.get(target.bytesArray(), first, count);
            case BOOL -> writeBools(target.bytesArray(), first, bytes);
        }
    }

    /** Writes bools. Normalizes bytes of untrusted clients to 0 or 1. */
    private static void writeBools(byte[] target, int first, ByteBuffer bytes) {
        for (int index = first; bytes.hasRemaining(); index++) {
            target[index] = (byte) (bytes.get() == 0 ? 0 : 1);
        }
    }

    /**
     * Copies elements {@code first} (inclusive) to {@code first + count} (exclusive) in a layout's row-major order.
     */
    public static void read(HeapBuffer source, Layout layout, long first, int count, byte[] bytes, int at) {
        // An empty view may begin anywhere, even beyond the buffer.
        if (count == 0) {
            return;
        }
        read(
                source,
                layout,
                first,
                count,
                littleEndian(bytes, at, count * source.dtype().bytes()));
    }

    /**
     * Works like {@link #read(HeapBuffer, Layout, long, int, byte[], int)}, into a little-endian buffer at its
     * position.
     */
    public static void read(HeapBuffer source, Layout layout, long first, int count, ByteBuffer target) {
        if (count == 0) {
            return;
        }
        if (layout.isContiguous()) {
            readRange(source, Math.toIntExact(layout.offset() + first), count, target);
        } else {
            readStrided(source, new Cursor(layout, first), count, target);
        }
    }

    private static void readRange(HeapBuffer source, int first, int count, ByteBuffer target) {
        switch (source.dtype()) {
            case FLOAT32 -> target.asFloatBuffer().put(source.floats(), first, count);
            case FLOAT64 -> target.asDoubleBuffer().put(source.doubles(), first, count);
            case INT64 -> target.asLongBuffer().put(source.longs(), first, count);
            case INT32 -> target.asIntBuffer().put(source.ints(), first, count);
            case FLOAT16, BFLOAT16, INT16 -> target.asShortBuffer().put(source.shorts(), first, count);
            case INT8, UINT8, BOOL -> target.put(source.bytesArray(), first, count);
        }
    }

    private static void readStrided(HeapBuffer source, Cursor cursor, int count, ByteBuffer target) {
        for (int index = 0; index < count; index++) {
            int position = cursor.next();
            switch (source.dtype()) {
                case FLOAT32 -> target.putFloat(source.floats()[position]);
                case FLOAT64 -> target.putDouble(source.doubles()[position]);
                case INT64 -> target.putLong(source.longs()[position]);
                case INT32 -> target.putInt(source.ints()[position]);
                case FLOAT16, BFLOAT16, INT16 -> target.putShort(source.shorts()[position]);
                case INT8, UINT8, BOOL -> target.put(source.bytesArray()[position]);
            }
        }
    }

    private static ByteBuffer littleEndian(byte[] bytes, int from, int length) {
        return ByteBuffer.wrap(bytes, from, length).order(ByteOrder.LITTLE_ENDIAN);
    }
}
