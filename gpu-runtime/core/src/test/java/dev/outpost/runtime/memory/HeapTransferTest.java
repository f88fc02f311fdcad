package dev.outpost.runtime.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("quick")
class HeapTransferTest {
    private static final Layout MATRIX = Layout.contiguous(Shape.of(2, 3));

    @ParameterizedTest
    @EnumSource
    void bytesComeBackInEveryDtype(DType dtype) {
        byte[] bytes = bytes(6 * dtype.bytes(), dtype);
        HeapBuffer buffer = HeapBuffer.allocate(dtype, 6);
        HeapTransfer.write(buffer, 0, new Slice(bytes));
        assertArrayEquals(bytes, read(buffer, MATRIX, 0, 6));
    }

    @ParameterizedTest
    @EnumSource
    void stridedReadsPickTheViewsElements(DType dtype) {
        int width = dtype.bytes();
        byte[] bytes = bytes(6 * width, dtype);
        HeapBuffer buffer = HeapBuffer.allocate(dtype, 6);
        HeapTransfer.write(buffer, 0, new Slice(bytes));
        byte[] elements = read(buffer, MATRIX.transpose(0, 1), 1, 3);
        assertArrayEquals(element(bytes, 3, width), element(elements, 0, width));
        assertArrayEquals(element(bytes, 1, width), element(elements, 1, width));
        assertArrayEquals(element(bytes, 4, width), element(elements, 2, width));
    }

    @Test
    void boolsBecomeZeroOrOne() {
        HeapBuffer buffer = HeapBuffer.allocate(DType.BOOL, 3);
        HeapTransfer.write(buffer, 1, new Slice(new byte[] {2, 0}));
        assertArrayEquals(new byte[] {0, 1, 0}, buffer.bytesArray());
    }

    @Test
    void anEmptyViewMayBeginBeyondTheBuffer() {
        Layout empty = Layout.of(Shape.of(0), new long[] {1}, 99);
        assertEquals(0, read(HeapBuffer.allocate(DType.INT64, 1), empty, 0, 0).length);
    }

    private static byte[] bytes(int count, DType dtype) {
        byte[] bytes = new byte[count];
        for (int index = 0; index < count; index++) {
            bytes[index] = (byte) (dtype == DType.BOOL ? index & 1 : 37 * index + 1);
        }
        return bytes;
    }

    private static byte[] element(byte[] bytes, int index, int width) {
        return Arrays.copyOfRange(bytes, index * width, (index + 1) * width);
    }

    private static byte[] read(HeapBuffer source, Layout layout, long first, int count) {
        byte[] bytes = new byte[count * source.dtype().bytes() + 2];
        HeapTransfer.read(source, layout, first, count, bytes, 1);
        assertEquals(0, bytes[0]);
        assertEquals(0, bytes[bytes.length - 1]);
        return Arrays.copyOfRange(bytes, 1, bytes.length - 1);
    }
}
