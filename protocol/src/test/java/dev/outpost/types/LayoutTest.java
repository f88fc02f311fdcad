package dev.outpost.types;

import static dev.outpost.protocol.RefusalAssertions.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class LayoutTest {
    private static final Shape SHAPE = Shape.of(2, 3);

    @Test
    void refusesAnotherNumberOfStridesThanSizes() {
        assertRefused(
                "as_strided: as many strides as sizes are needed, got [2, 3] and [1]",
                () -> Layout.of(SHAPE, new long[] {1}, 0));
    }

    @Test
    void refusesNegativeStridesAndOffsets() {
        assertRefused(
                "as_strided: strides must not be negative, got [3, -1]", () -> Layout.of(SHAPE, new long[] {3, -1}, 0));
        assertRefused(
                "as_strided: the offset must not be negative, got -1", () -> Layout.of(SHAPE, new long[] {3, 1}, -1));
    }

    @Test
    void refusesAnExtentThatOverflows() {
        assertRefused(
                "as_strided: the extent overflows, got [2, 3] strides [9223372036854775807, 1] offset 0",
                () -> Layout.of(SHAPE, new long[] {Long.MAX_VALUE, 1}, 0));
        assertRefused(
                "as_strided: the extent overflows, got [2, 3] strides [3, 1] offset 9223372036854775807",
                () -> Layout.of(SHAPE, new long[] {3, 1}, Long.MAX_VALUE));
    }

    @Test
    void refusesToExpandWhatDoesNotBroadcast() {
        assertRefused(
                "expand: the shape does not broadcast, got [2, 3] and [4, 3]",
                () -> Layout.contiguous(SHAPE).expand(Shape.of(4, 3)));
    }

    @Test
    void ownsItsStrides() {
        long[] strides = {3, 1};
        Layout layout = Layout.of(SHAPE, strides, 0);
        strides[0] = 9;
        layout.strides()[1] = 9;
        assertEquals(Layout.contiguous(SHAPE), layout);
        assertEquals(Layout.contiguous(SHAPE).hashCode(), layout.hashCode());
    }

    @Test
    void equalityTellsShapeStridesAndOffsetApart() {
        Layout layout = Layout.of(SHAPE, new long[] {3, 1}, 0);
        assertNotEquals(Layout.of(SHAPE, new long[] {3, 1}, 1), layout);
        assertNotEquals(Layout.of(SHAPE, new long[] {3, 2}, 0), layout);
        assertNotEquals(Layout.of(Shape.of(3, 3), new long[] {3, 1}, 0), layout);
    }
}
