package dev.outpost.internal.transfer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.HostTensor;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nested arrays and lists become tensors of the right shape, dtype and elements, and bad ones are refused by index. */
class NestedValuesTest {
    @Test
    void arraysHaveTheDtypeOfTheirElements() {
        assertEquals(HostTensor.of(new float[] {1, 2, 3, 4}, 2, 2), HostTensor.of(new float[][] {{1, 2}, {3, 4}}));
        assertEquals(HostTensor.of(new double[] {1, 2}, 2, 1), HostTensor.of(new double[][] {{1}, {2}}));
        assertEquals(HostTensor.of(new long[] {1, 2, 3}, 1, 1, 3), HostTensor.of(new long[][][] {{{1, 2, 3}}}));
        assertEquals(HostTensor.of(new int[] {-1, 2}, 1, 2), HostTensor.of(new int[][] {{-1, 2}}));
        assertEquals(HostTensor.of(new short[] {-1, 2}, 1, 2), HostTensor.of(new short[][] {{-1, 2}}));
        assertEquals(HostTensor.of(new byte[] {-1, 2}, 2, 1), HostTensor.of(new byte[][] {{-1}, {2}}));
        assertEquals(
                HostTensor.of(new boolean[] {true, false}, 2, 1), HostTensor.of(new boolean[][] {{true}, {false}}));
    }

    @Test
    void listsAreReadAsPyTorchReadsThem() {
        assertEquals(HostTensor.of(new long[] {1, 2, 3}), HostTensor.of(List.of(1, 2L, (short) 3)));
        assertEquals(HostTensor.of(new float[] {1, 2.5f}, 1, 2), HostTensor.of(List.of(List.of(1, 2.5))));
        assertEquals(HostTensor.of(new boolean[] {true, false}), HostTensor.of(List.of(true, false)));
        assertEquals(
                HostTensor.of(new double[] {1, 2}, 2, 1), HostTensor.of(List.of(new double[] {1}, new double[] {2})));
        assertEquals(HostTensor.of(new long[] {4, 5}), HostTensor.of(new Integer[] {4, 5}));
        assertEquals(
                Shape.of(1, 3, 2),
                HostTensor.of(List.of((Object) new float[3][2])).shape());
    }

    @Test
    void emptyPartsHaveShapes() {
        assertEquals(Shape.of(0, 0), HostTensor.of(new long[0][]).shape());
        assertEquals(DType.INT64, HostTensor.of(new long[0][]).dtype());
        assertEquals(Shape.of(2, 0), HostTensor.of(new float[2][0]).shape());
        assertEquals(Shape.of(0), HostTensor.of(List.of()).shape());
        assertEquals(DType.FLOAT32, HostTensor.of(List.of()).dtype());
        assertEquals(
                Shape.of(2, 0), HostTensor.of(List.of(List.of(), List.of())).shape());
    }

    @Test
    void badPartsAreRefusedByIndex() {
        refuses("the rows differ in length, got 2 at [0] and 1 at [1]", new float[][] {{1, 2}, {3}});
        refuses("the rows differ in length, got 1 at [0][0] and 2 at [1][0]", new int[][][] {{{1}}, {{1, 2}}});
        refuses("the rows differ in length, got 2 at [0] and 0 at [1]", new int[][][] {{{1}, {2}}, {}});
        refuses("expected a number or a boolean, got null at [1]", new float[][] {{1, 2}, null});
        refuses("expected a number or a boolean, got a String at [0]", new String[] {"1"});
        refuses("expected a number or a boolean, got a char[] at [0]", new char[][] {{'a'}});
        refuses("expected a single value, got a row of 1 at [1]", new Object[] {1, new int[] {2}});
        refuses("expected a row of 1, got the single value 2 at [1]", new Object[] {List.of(1), 2});
        refuses("expected one type, got Number and Boolean at [1]", new Object[] {1, true});
        refuses("expected one type, got float[] and int[] at [1]", new Object[] {new float[1], new int[1]});
        refuses("expected one type, got Number and int[] at [1]", new Object[] {List.of(1), new int[1]});
    }

    private static void refuses(String problem, Object[] values) {
        OpException refused = assertThrows(OpException.class, () -> HostTensor.of(values));
        assertEquals("HostTensor.of: " + problem, refused.getMessage());
        assertEquals(
                refused.getMessage(),
                assertThrows(OpException.class, () -> HostTensor.of(Arrays.asList(values)))
                        .getMessage());
    }

    @Test
    void aListThatContainsItselfIsRefused() {
        List<Object> itself = new ArrayList<>();
        itself.add(itself);
        OpException refused = assertThrows(OpException.class, () -> HostTensor.of(itself));
        assertEquals(
                "HostTensor.of: expected at most 64 dimensions, got more at " + "[0]".repeat(64), refused.getMessage());
    }

    @Test
    void matricesAreReadAsRows() {
        HostTensor matrix = HostTensor.of(new long[][] {{1, 2}, {3, 4}, {5, 6}});
        assertArrayEquals(new float[][] {{1, 2}, {3, 4}, {5, 6}}, matrix.toFloatArray2d());
        assertArrayEquals(new double[][] {{1, 2}, {3, 4}, {5, 6}}, matrix.toDoubleArray2d());
        assertArrayEquals(new long[][] {{1, 2}, {3, 4}, {5, 6}}, matrix.toLongArray2d());
        OpException refused =
                assertThrows(OpException.class, () -> matrix.reshape(6).toFloatArray2d());
        assertEquals(
                "HostTensor.toFloatArray2d: expected two dimensions, got shape [6]; reshape first, or read one array",
                refused.getMessage());
    }
}
