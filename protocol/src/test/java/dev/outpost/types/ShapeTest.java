package dev.outpost.types;

import static dev.outpost.protocol.RefusalAssertions.assertRefused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.Trials;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ShapeTest {

    @Test
    void countsElements() {
        assertEquals(1, Shape.of().elements());
        assertEquals(24, Shape.of(2, 3, 4).elements());
        assertEquals(0, Shape.of(2, 0, 4).elements());
        assertEquals(Long.MAX_VALUE, Shape.of(Long.MAX_VALUE).elements());
        assertSame(Shape.SCALAR, Shape.of());
    }

    @Test
    void onlyAShapeWithoutElementsIsEmpty() {
        assertTrue(Shape.of(3, 0).isEmpty());
        assertFalse(Shape.SCALAR.isEmpty());
    }

    @Test
    void refusesNegativeSizes() {
        assertRefused("shape: sizes must not be negative, got [2, -1]", () -> Shape.of(2, -1));
        assertRefused("shape: sizes must not be negative, got [0, -1]", () -> Shape.of(0, -1));
    }

    @Test
    void refusesAnElementCountThatOverflows() {
        assertRefused(
                "shape: the number of elements overflows, got [4294967296, 4294967296]",
                () -> Shape.of(1L << 32, 1L << 32));
    }

    /** Strides are products of sizes, so those must fit even where another size is 0. */
    @Test
    void refusesStridesThatOverflowInAnEmptyShape() {
        assertRefused(
                "shape: the number of elements overflows, got [0, 4294967296, 4294967296]",
                () -> Shape.of(0, 1L << 32, 1L << 32));
    }

    @Test
    void refusesTooManyDimensions() {
        assertEquals(Shape.MAX_RANK, Shape.of(new long[Shape.MAX_RANK]).rank());
        assertRefused("shape: at most 64 dimensions, got 65", () -> Shape.of(new long[65]));
    }

    @Test
    void ownsItsSizes() {
        long[] sizes = {2, 3};
        Shape shape = Shape.of(sizes);
        sizes[0] = 9;
        shape.toArray()[1] = 9;
        assertEquals(Shape.of(2, 3), shape);
        assertEquals(Shape.of(2, 3).hashCode(), shape.hashCode());
        assertNotEquals(Shape.of(3, 2), shape);
    }

    @Test
    void givesRowMajorStrides() {
        assertArrayEquals(new long[] {12, 4, 1}, Shape.of(2, 3, 4).contiguousStrides());
        assertArrayEquals(new long[] {4, 4, 1}, Shape.of(2, 0, 4).contiguousStrides());
    }

    @Test
    void countsDimensionsFromEitherEnd() {
        assertEquals(1, Shape.of(2, 3).normalizeDim("sum", -1));
        assertEquals(0, Shape.of(2, 3).normalizeDim("sum", 0));
        assertEquals(0, Shape.SCALAR.normalizeDim("sum", -1));
    }

    @Test
    void refusesDimensionsOutOfRange() {
        assertRefused(
                "sum: dimension out of range, expected -2 to 1, got 2",
                () -> Shape.of(2, 3).normalizeDim("sum", 2));
        assertRefused(
                "sum: dimension out of range, expected -1 to 0, got -2", () -> Shape.SCALAR.normalizeDim("sum", -2));
    }

    @Test
    void broadcastsAsPyTorchDoes() {
        assertEquals(Shape.of(2, 3), Shape.broadcast("add", Shape.of(2, 1), Shape.of(3)));
        assertEquals(Shape.of(0), Shape.broadcast("add", Shape.of(1), Shape.of(0)));
        assertEquals(Shape.of(4, 2, 3), Shape.broadcast("add", Shape.SCALAR, Shape.of(4, 2, 3)));
    }

    @Test
    void refusesShapesThatDoNotBroadcast() {
        assertRefused(
                "add: shapes do not broadcast, got [2, 3] and [2, 4]",
                () -> Shape.broadcast("add", Shape.of(2, 3), Shape.of(2, 4)));
        assertRefused(
                "add: shapes do not broadcast, got [0] and [2]",
                () -> Shape.broadcast("add", Shape.of(0), Shape.of(2)));
    }

    @Test
    void broadcastingIsTheLeastShapeThatBothBroadcastTo() {
        Trials.repeat(2_000, 1, random -> {
            Shape left = random(random);
            Shape right = random(random);
            Shape both = broadcastOrNull(left, right);
            assertEquals(both, broadcastOrNull(right, left));
            assertEquals(naiveBroadcast(left, right), both);
            if (both != null) {
                assertTrue(left.broadcastsTo(both) && right.broadcastsTo(both));
            }
        });
    }

    @Test
    void broadcastsToNoShapeOfLowerRank() {
        assertFalse(Shape.of(1, 3).broadcastsTo(Shape.of(3)));
        assertFalse(Shape.of(3).broadcastsTo(Shape.of(1)));
        assertTrue(Shape.of(1).broadcastsTo(Shape.of(0)));
    }

    private static Shape random(RandomGenerator random) {
        long[] sizes = new long[random.nextInt(4)];
        Arrays.setAll(sizes, dim -> random.nextInt(4));
        return Shape.of(sizes);
    }

    private static Shape broadcastOrNull(Shape left, Shape right) {
        try {
            return Shape.broadcast("add", left, right);
        } catch (OpException ignored) {
            return null;
        }
    }

    private static Shape naiveBroadcast(Shape left, Shape right) {
        int rank = Math.max(left.rank(), right.rank());
        long[] a = padded(left, rank);
        long[] b = padded(right, rank);
        long[] sizes = new long[rank];
        for (int dim = 0; dim < rank; dim++) {
            if (a[dim] != b[dim] && a[dim] != 1 && b[dim] != 1) {
                return null;
            }
            sizes[dim] = a[dim] != 1 ? a[dim] : b[dim];
        }
        return Shape.of(sizes);
    }

    private static long[] padded(Shape shape, int rank) {
        long[] sizes = new long[rank];
        Arrays.fill(sizes, 1);
        System.arraycopy(shape.toArray(), 0, sizes, rank - shape.rank(), shape.rank());
        return sizes;
    }
}
