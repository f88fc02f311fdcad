package dev.outpost;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.internal.HostShapes;
import dev.outpost.internal.ops.HostElements;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("quick")
class HostTensorTest {
    private final HostTensor matrix = HostTensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2);

    @Test
    void javaTypesMapToTheDTypeOfTheirWidth() {
        assertEquals(DType.FLOAT32, HostTensor.of(new float[1]).dtype());
        assertEquals(DType.FLOAT64, HostTensor.of(new double[1]).dtype());
        assertEquals(DType.INT64, HostTensor.of(new long[1]).dtype());
        assertEquals(DType.INT32, HostTensor.of(new int[1]).dtype());
        assertEquals(DType.INT16, HostTensor.of(new short[1]).dtype());
        assertEquals(DType.INT8, HostTensor.of(new byte[1]).dtype());
        assertEquals(DType.BOOL, HostTensor.of(new boolean[1]).dtype());
    }

    @Test
    void arraysWithoutAShapeHaveOneDimension() {
        assertEquals(Shape.of(3), HostTensor.of(new int[] {1, 2, 3}).shape());
        assertEquals(Shape.of(0), HostTensor.of(new int[0]).shape());
        assertEquals(Shape.SCALAR, HostTensor.scalar(1).shape());
    }

    @Test
    void anEmptyShapeIsThatOfAScalar() {
        long[] none = {};
        assertEquals(HostTensor.scalar(2.5f), HostTensor.of(new float[] {2.5f}, none));
        assertEquals(HostTensor.scalar(2.5), HostTensor.of(new double[] {2.5}, none));
        assertEquals(HostTensor.scalar(3L), HostTensor.of(LongBuffer.wrap(new long[] {3}), none));
        assertEquals(HostTensor.scalar(true), HostTensor.of(new boolean[] {true}, none));
        assertEquals(
                Shape.SCALAR,
                HostTensor.of(DType.BFLOAT16, ByteBuffer.allocate(2), none).shape());
        assertEquals(
                Shape.of(2),
                HostTensor.of(DType.BFLOAT16, ByteBuffer.allocate(4)).shape());
        assertProblem("HostTensor.of: the shape [] takes 1 values, got 2", () -> HostTensor.of(new int[2], none));
    }

    @Test
    void aSliceWithoutAnEndGoesToTheEnd() {
        assertEquals(matrix.slice(1, 3), matrix.slice(1));
    }

    @Test
    void valuesAreCopied() {
        float[] values = {1, 2};
        HostTensor tensor = HostTensor.of(values);
        values[0] = 9;
        assertArrayEquals(new float[] {1, 2}, tensor.toFloatArray());
    }

    @Test
    void buffersGiveTheirRemainingValuesAndStayWhereTheyAre() {
        FloatBuffer floats = FloatBuffer.wrap(new float[] {0, 1, 2}).position(1);
        assertEquals(HostTensor.of(new float[] {1, 2}), HostTensor.of(floats));
        assertEquals(1, floats.position());
        assertEquals(HostTensor.of(new double[] {1}), HostTensor.of(DoubleBuffer.wrap(new double[] {1})));
        assertEquals(HostTensor.of(new long[] {1}), HostTensor.of(LongBuffer.wrap(new long[] {1})));
        assertEquals(HostTensor.of(new int[] {1}), HostTensor.of(IntBuffer.wrap(new int[] {1})));
        assertEquals(HostTensor.of(new short[] {1}), HostTensor.of(ShortBuffer.wrap(new short[] {1})));
    }

    @Test
    void typedBuffersOfAnyByteOrderAndBytesAsTheyAre() {
        ByteBuffer bigEndian = ByteBuffer.allocate(8).order(ByteOrder.BIG_ENDIAN);
        bigEndian.putInt(1).putInt(2).flip();
        assertEquals(HostTensor.of(new int[] {1, 2}), HostTensor.of(bigEndian.asIntBuffer()));
        assertEquals(HostTensor.of(new int[] {1 << 24, 2 << 24}), HostTensor.of(DType.INT32, bigEndian, 2));
    }

    @Test
    void bytesAreLittleEndianAndNotCopied() {
        byte[] bytes = {1, 0, 2, 0};
        HostTensor tensor = HostTensor.ofBytes(DType.INT16, Shape.of(2), bytes);
        assertSame(bytes, tensor.bytes());
        assertArrayEquals(new int[] {1, 2}, tensor.toIntArray());
    }

    @ParameterizedTest
    @EnumSource
    void everyDTypeIsReadAndConverted(DType dtype) {
        HostTensor tensor = HostTensor.of(new double[] {0, 1, 1, 0}).to(dtype);
        assertEquals(dtype, tensor.dtype());
        assertArrayEquals(new float[] {0, 1, 1, 0}, tensor.toFloatArray());
        assertArrayEquals(new double[] {0, 1, 1, 0}, tensor.toDoubleArray());
        assertArrayEquals(new long[] {0, 1, 1, 0}, tensor.toLongArray());
        assertArrayEquals(new int[] {0, 1, 1, 0}, tensor.toIntArray());
        assertArrayEquals(new boolean[] {false, true, true, false}, tensor.toBooleanArray());
        assertEquals(1, tensor.getDouble(1));
        assertEquals(0, tensor.getLong(3));
    }

    @Test
    void conversionsRoundAndWrapAsCastsDo() {
        assertArrayEquals(
                new long[] {255, 1, 254},
                HostTensor.of(new long[] {-1, 257, 254}).to(DType.UINT8).toLongArray());
        assertArrayEquals(
                new int[] {-2, 2},
                HostTensor.of(new double[] {-2.9, 2.9}).to(DType.INT32).toIntArray());
        assertArrayEquals(
                new boolean[] {true, true, false},
                HostTensor.of(new double[] {0.5, Double.NaN, -0.0}).toBooleanArray());
        assertEquals(Long.MIN_VALUE, HostTensor.scalar(Long.MIN_VALUE).getLong(0));
    }

    @Test
    void anItemIsANumber() {
        assertEquals(2.5, HostTensor.scalar(2.5f).item());
        assertEquals(7L, HostTensor.of(new byte[] {7}, 1, 1).item());
        assertEquals(1L, HostTensor.scalar(true).item());
        assertProblem("HostTensor.item: only a tensor of one element is one number, got shape [3, 2]", matrix::item);
    }

    @Test
    void rowsAreGathered() {
        assertEquals(HostTensor.of(new float[] {5, 6, 1, 2, 5, 6}, 3, 2), matrix.rows(2, 0, 2));
        assertEquals(Shape.of(0, 2), matrix.rows().shape());
        assertProblem("HostTensor.rows: the index is out of bounds for 3 rows, got 3", () -> matrix.rows(3));
        assertProblem(
                "HostTensor.rows: a tensor without dimensions has no rows",
                () -> HostTensor.scalar(1).rows(0));
    }

    @Test
    void rowsAreSliced() {
        assertEquals(HostTensor.of(new float[] {3, 4, 5, 6}, 2, 2), matrix.slice(1, 3));
        assertEquals(Shape.of(0, 2), matrix.slice(3, 3).shape());
        assertProblem("HostTensor.slice: expected 0 <= from <= to <= 3, got 1 and 4", () -> matrix.slice(1, 4));
    }

    @Test
    void anyDimensionIsTaken() {
        HostElements taken = new HostElements(matrix.dtype(), matrix.shape(), matrix.bytes()).take(1, 1);
        assertEquals(
                HostTensor.of(new float[] {2, 4, 6}, 3, 1),
                HostTensor.ofBytes(taken.dtype(), taken.shape(), taken.bytes()));
    }

    @Test
    void reshapeInfersOneSize() {
        assertEquals(HostTensor.of(new float[] {1, 2, 3, 4, 5, 6}, 2, 3), matrix.reshape(2, -1));
        assertProblem(
                "HostTensor.reshape: the number of elements differs, got [3, 2] and [4]", () -> matrix.reshape(4));
        assertProblem("shape: sizes must not be negative, got [4, -1]", () -> matrix.reshape(4, -1));
    }

    @Test
    void equalityIsByContent() {
        assertEquals(HostTensor.of(new float[] {Float.NaN}), HostTensor.of(new float[] {Float.NaN}));
        assertEquals(matrix.hashCode(), matrix.slice(0, 3).hashCode());
        assertNotEquals(HostTensor.of(new float[] {0f}), HostTensor.of(new float[] {-0f}));
        assertNotEquals(matrix, matrix.reshape(6));
        assertNotEquals(HostTensor.of(new int[2]), HostTensor.of(new long[1]));
    }

    @Test
    void aShapeMustFitTheValues() {
        assertProblem("HostTensor.of: the shape [2, 3] takes 6 values, got 5", () -> HostTensor.of(new float[5], 2, 3));
        assertProblem(
                "HostTensor.ofBytes: float32 [2] takes 8 bytes, got 7",
                () -> HostTensor.ofBytes(DType.FLOAT32, Shape.of(2), new byte[7]));
        assertProblem(
                "HostTensor.of: the bytes are no whole number of int16, got 3",
                () -> HostTensor.of(DType.INT16, ByteBuffer.allocate(3)));
    }

    @Test
    void tensorTooLargeForAnArrayIsRefused() {
        var refused = assertThrows(OpException.class, () -> HostShapes.requireHeld(DType.INT64, Shape.of(1 << 28)));
        assertTrue(refused.getMessage().contains("are held on this side, int64 [268435456] takes 2147483648"));
    }

    @Test
    void elementsAreSeenThroughABuffer() {
        ByteBuffer buffer = HostTensor.of(new float[] {1, -2.5f}).toByteBuffer();
        assertTrue(buffer.isReadOnly());
        assertEquals(-2.5f, buffer.asFloatBuffer().get(1));
        assertEquals(HostTensor.of(new float[] {1, -2.5f}), HostTensor.of(DType.FLOAT32, buffer));
    }

    @Test
    void indicesAreChecked() {
        assertThrows(IndexOutOfBoundsException.class, () -> matrix.getDouble(6));
        assertThrows(IndexOutOfBoundsException.class, () -> matrix.getLong(-1));
    }

    private static void assertProblem(String problem, Executable call) {
        assertEquals(problem, assertThrows(OpException.class, call).getMessage());
    }
}
