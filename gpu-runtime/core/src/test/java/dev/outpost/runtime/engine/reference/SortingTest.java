package dev.outpost.runtime.engine.reference;

import static dev.outpost.runtime.engine.reference.ReferenceOp.doubles;
import static dev.outpost.runtime.engine.reference.ReferenceOp.empty;
import static dev.outpost.runtime.engine.reference.ReferenceOp.longs;
import static dev.outpost.runtime.engine.reference.ReferenceOp.runAll;
import static dev.outpost.runtime.engine.reference.ReferenceOp.tensor;
import static dev.outpost.runtime.engine.reference.ReferenceOp.transposed;
import static dev.outpost.runtime.engine.reference.ReferenceOp.vector;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.outpost.protocol.op.Sort;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SortingTest {
    private static final double NAN = Double.NaN;

    @Test
    @Tag("quick")
    void nanIsTheLargestAndEqualsKeepTheirOrder() {
        Array numbers = vector(DType.FLOAT32, 2, NAN, 1, 2, NAN, -1);
        Array[] ascending = runAll(new Sort(0, false), numbers);
        assertArrayEquals(new double[] {-1, 1, 2, 2, NAN, NAN}, doubles(ascending[0]));
        assertArrayEquals(new long[] {5, 2, 0, 3, 1, 4}, longs(ascending[1]));
        Array[] descending = runAll(new Sort(0, true), numbers);
        assertArrayEquals(new double[] {NAN, NAN, 2, 2, 1, -1}, doubles(descending[0]));
        assertArrayEquals(new long[] {1, 4, 0, 3, 2, 5}, longs(descending[1]));
    }

    @Test
    void zerosAreEqualWhateverTheirSign() {
        Array[] sorted = runAll(new Sort(0, false), vector(DType.FLOAT64, 0.0, -0.0));
        assertArrayEquals(new long[] {0, 1}, longs(sorted[1]));
        assertArrayEquals(new double[] {0.0, -0.0}, doubles(sorted[0]));
    }

    @Test
    void sortsEachLineOfAView() {
        Array[] sorted = runAll(new Sort(0, false), transposed(tensor(DType.INT32, Shape.of(2, 3), 3, 1, 2, 4, 6, 5)));
        assertArrayEquals(new double[] {1, 4, 2, 5, 3, 6}, doubles(sorted[0]));
        assertArrayEquals(new long[] {1, 0, 2, 2, 0, 1}, longs(sorted[1]));
    }

    @ParameterizedTest
    @EnumSource
    void takesEveryDtype(DType dtype) {
        Array[] sorted = runAll(new Sort(0, false), vector(dtype, 1, 0, 1, 0));
        assertArrayEquals(new double[] {0, 0, 1, 1}, doubles(sorted[0]));
        assertArrayEquals(new long[] {1, 3, 0, 2}, longs(sorted[1]));
    }

    @Test
    void sortsNothing() {
        assertArrayEquals(new double[0], doubles(runAll(new Sort(1, false), empty(DType.FLOAT32, 3, 0))[0]));
    }
}
