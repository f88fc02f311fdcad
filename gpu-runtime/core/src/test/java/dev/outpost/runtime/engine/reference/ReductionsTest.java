package dev.outpost.runtime.engine.reference;

import static dev.outpost.runtime.engine.reference.ReferenceOp.doubles;
import static dev.outpost.runtime.engine.reference.ReferenceOp.empty;
import static dev.outpost.runtime.engine.reference.ReferenceOp.longs;
import static dev.outpost.runtime.engine.reference.ReferenceOp.run;
import static dev.outpost.runtime.engine.reference.ReferenceOp.scalar;
import static dev.outpost.runtime.engine.reference.ReferenceOp.tensor;
import static dev.outpost.runtime.engine.reference.ReferenceOp.transposed;
import static dev.outpost.runtime.engine.reference.ReferenceOp.vector;
import static dev.outpost.types.DType.BOOL;
import static dev.outpost.types.DType.FLOAT16;
import static dev.outpost.types.DType.FLOAT32;
import static dev.outpost.types.DType.INT32;
import static dev.outpost.types.DType.INT64;
import static dev.outpost.types.DType.UINT8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Cumulative;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReductionsTest {
    private static final double NAN = Double.NaN;

    private final Array matrix = tensor(FLOAT32, Shape.of(2, 3), 1, 2, 3, 4, 5, 6);

    @Test
    @Tag("quick")
    void foldsTheAxesThatItIsTold() {
        assertArrayEquals(new double[] {5, 7, 9}, doubles(sum(matrix, 0)));
        assertArrayEquals(new double[] {6, 15}, doubles(sum(matrix, 1)));
        assertArrayEquals(new double[] {21}, doubles(sum(matrix, 0, 1)));
        assertArrayEquals(doubles(matrix), doubles(sum(matrix)));
        assertArrayEquals(new double[] {6, 15}, doubles(sum(transposed(matrix), 0)));
    }

    @Test
    void keepsDimensionsOnRequest() {
        Array kept = run(new Reduce(Reduce.Fn.PROD, Axes.of(1), true), matrix);
        assertEquals(Shape.of(2, 1), kept.shape());
        assertArrayEquals(new double[] {6, 120}, doubles(kept));
    }

    @Test
    @Tag("quick")
    void nothingSumsToZeroAndMultipliesToOne() {
        assertArrayEquals(new double[] {0, 0}, doubles(sum(empty(FLOAT32, 2, 0), 1)));
        assertArrayEquals(new double[0], doubles(sum(empty(FLOAT32, 2, 0), 0)));
        assertArrayEquals(new long[] {1}, longs(run(new Reduce(Reduce.Fn.PROD, Axes.of(0), false), empty(INT64, 0))));
    }

    @Test
    void scalarsFoldToThemselves() {
        assertArrayEquals(new double[] {3}, doubles(sum(scalar(FLOAT32, 3))));
    }

    @Test
    void sumsAccumulateInDoubleAndWrapInLong() {
        double[] ones = new double[70_000];
        Arrays.fill(ones, 1);
        assertArrayEquals(new double[] {Double.POSITIVE_INFINITY}, doubles(sum(vector(FLOAT16, ones), 0)));
        double[] small = new double[4096];
        Arrays.fill(small, 1);
        assertArrayEquals(new double[] {4096}, doubles(sum(vector(FLOAT16, small), 0)));
        assertArrayEquals(new long[] {44}, longs(sum(vector(UINT8, 200, 100), 0)));
    }

    @Test
    void nanOutlivesExtremes() {
        Array numbers = tensor(FLOAT32, Shape.of(2, 2), NAN, 1, 3, 2);
        assertArrayEquals(new double[] {NAN, 3}, doubles(fold(Reduce.Fn.MAX, numbers)));
        assertArrayEquals(new double[] {NAN, 2}, doubles(fold(Reduce.Fn.MIN, numbers)));
        Array infinite = tensor(FLOAT32, Shape.of(1, 1), Double.NEGATIVE_INFINITY);
        assertArrayEquals(new double[] {Double.NEGATIVE_INFINITY}, doubles(fold(Reduce.Fn.MAX, infinite)));
    }

    @Test
    void boolExtremesAreAnyAndAll() {
        Array truths = tensor(BOOL, Shape.of(3, 2), 0, 0, 0, 1, 1, 1);
        assertArrayEquals(new long[] {0, 1, 1}, longs(fold(Reduce.Fn.MAX, truths)));
        assertArrayEquals(new long[] {0, 0, 1}, longs(fold(Reduce.Fn.MIN, truths)));
    }

    @Test
    void theFirstOfEqualsWinsAndNanOutranks() {
        Array numbers = tensor(FLOAT32, Shape.of(3, 4), 1, 3, 3, 1, 2, NAN, 5, NAN, 4, 4, 4, 4);
        assertArrayEquals(new long[] {1, 1, 0}, longs(run(new ArgReduce(ArgReduce.Fn.ARGMAX, 1, false), numbers)));
        assertArrayEquals(new long[] {0, 1, 0}, longs(run(new ArgReduce(ArgReduce.Fn.ARGMIN, 1, false), numbers)));
        Array kept = run(new ArgReduce(ArgReduce.Fn.ARGMAX, 0, true), transposed(matrix));
        assertEquals(Shape.of(1, 2), kept.shape());
        assertArrayEquals(new long[] {2, 2}, longs(kept));
    }

    @Test
    void argsTellLargeLongsApart() {
        Array numbers = longs(1L << 60, (1L << 60) + 1, 0);
        assertArrayEquals(new long[] {1}, longs(run(new ArgReduce(ArgReduce.Fn.ARGMAX, 0, false), numbers)));
    }

    @Test
    @Tag("quick")
    void accumulatesAlongAnAxis() {
        assertArrayEquals(new double[] {1, 2, 3, 5, 7, 9}, doubles(accumulate(Reduce.Fn.SUM, 0, matrix)));
        assertArrayEquals(new double[] {1, 2, 6, 4, 20, 120}, doubles(accumulate(Reduce.Fn.PROD, 1, matrix)));
        Array numbers = vector(FLOAT32, 2, 1, NAN, 3);
        assertArrayEquals(new double[] {2, 2, NAN, NAN}, doubles(accumulate(Reduce.Fn.MAX, 0, numbers)));
        assertArrayEquals(new double[] {2, 1, NAN, NAN}, doubles(accumulate(Reduce.Fn.MIN, 0, numbers)));
        assertArrayEquals(new long[] {5, 3, 3}, longs(accumulate(Reduce.Fn.MIN, 0, vector(INT32, 5, 3, 4))));
        assertArrayEquals(new double[0], doubles(accumulate(Reduce.Fn.SUM, 1, empty(FLOAT32, 3, 0))));
    }

    @Test
    void accumulatesThroughStrides() {
        Array sums = accumulate(Reduce.Fn.SUM, 0, transposed(matrix));
        assertArrayEquals(new double[] {1, 4, 3, 9, 6, 15}, doubles(sums));
    }

    private static Array sum(Array array, int... axes) {
        return run(new Reduce(Reduce.Fn.SUM, Axes.of(axes), false), array);
    }

    private static Array fold(Reduce.Fn fn, Array matrix) {
        return run(new Reduce(fn, Axes.of(1), false), matrix);
    }

    private static Array accumulate(Reduce.Fn fn, int axis, Array array) {
        DType dtype = array.dtype();
        Array result = run(new Cumulative(fn, axis), array);
        assertEquals(dtype, result.dtype());
        return result;
    }
}
