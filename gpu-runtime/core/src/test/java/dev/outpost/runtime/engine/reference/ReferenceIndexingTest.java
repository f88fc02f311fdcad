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
import static dev.outpost.types.DType.FLOAT32;
import static dev.outpost.types.DType.INT64;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReferenceIndexingTest {
    private final Array matrix = tensor(FLOAT32, Shape.of(3, 2), 1, 2, 3, 4, 5, 6);

    @Test
    @Tag("quick")
    void checkedIndicesCountFromTheFront() {
        assertArrayEquals(new long[] {0, 9, 0, 9}, longs(run(new IndexCheck(10), longs(0, 9, -10, -1))));
        assertEquals(
                "index: index 12 is out of bounds for dimension of size 10", fault(new IndexCheck(10), longs(12L)));
        assertEquals(
                "index: index -11 is out of bounds for dimension of size 10", fault(new IndexCheck(10), longs(-11L)));
    }

    @Test
    @Tag("quick")
    void gathersAlongAnAxis() {
        Array index = tensor(INT64, Shape.of(2, 2), 2, 0, 1, 1);
        assertArrayEquals(new double[] {5, 2, 3, 4}, doubles(run(new Gather(0), matrix, index)));
        Array along = tensor(INT64, Shape.of(2, 3), 1, 0, 1, 0, 0, 1);
        assertArrayEquals(new double[] {2, 1, 2, 3, 3, 4}, doubles(run(new Gather(1), matrix, along)));
    }

    @Test
    void gathersThroughStrides() {
        Array index = transposed(tensor(INT64, Shape.of(3, 1), 1, 0, 1));
        assertArrayEquals(new double[] {2, 3, 6}, doubles(run(new Gather(0), transposed(matrix), index)));
    }

    @Test
    void refusesIndicesOutOfBoundsBySizeAndDimension() {
        Array vector = vector(FLOAT32, new double[10]);
        assertEquals(
                "gather: index 12 is out of bounds for dimension 0 with size 10",
                fault(new Gather(0), vector, longs(1, 12)));
        assertEquals(
                "gather: index -1 is out of bounds for dimension 0 with size 10",
                fault(new Gather(0), vector, longs(-1L)));
        assertEquals(
                "scatter_add: index 2 is out of bounds for dimension 1 with size 2",
                fault(new Scatter(Scatter.Fn.ADD, 1), matrix, tensor(INT64, Shape.of(1, 1), 2), matrix));
        assertEquals(
                "index_select: index 3 is out of bounds for dimension 0 with size 3",
                fault(new IndexSelect(0), matrix, longs(3L)));
        assertEquals(
                "index_copy: index 5 is out of bounds for dimension 0 with size 3",
                fault(new IndexWrite(Scatter.Fn.SET, 0), matrix, longs(0, 5), empty(FLOAT32, 2, 2)));
        assertEquals(
                "index_select: index 7 is out of bounds for dimension 0 with size 5",
                fault(new IndexSelect(0), empty(FLOAT32, 5, 0), longs(7L)));
    }

    @Test
    @Tag("quick")
    void scattersInTheIndexsOrder() {
        Array base = vector(FLOAT32, 1, 2, 3);
        Array index = longs(2, 0, 2);
        Array source = vector(FLOAT32, 10, 20, 30);
        assertArrayEquals(new double[] {20, 2, 30}, doubles(scatter(Scatter.Fn.SET, base, index, source)));
        assertArrayEquals(new double[] {21, 2, 43}, doubles(scatter(Scatter.Fn.ADD, base, index, source)));
        assertArrayEquals(new double[] {20, 2, 900}, doubles(scatter(Scatter.Fn.MUL, base, index, source)));
        assertArrayEquals(new double[] {20, 2, 30}, doubles(scatter(Scatter.Fn.MAX, base, index, source)));
        assertArrayEquals(new double[] {1, 2, 3}, doubles(scatter(Scatter.Fn.MIN, base, index, source)));
        assertArrayEquals(new double[] {1, 2, 3}, doubles(base));
    }

    @Test
    void scattersPartOfTheSource() {
        Array index = tensor(INT64, Shape.of(1, 2), 2, 1);
        Array scattered = run(
                new Scatter(Scatter.Fn.SET, 0),
                matrix,
                index,
                transposed(tensor(FLOAT32, Shape.of(2, 2), 10, 20, 30, 40)));
        assertArrayEquals(new double[] {1, 2, 3, 30, 10, 6}, doubles(scattered));
    }

    @Test
    void boolsScatterByOr() {
        Array sums = scatter(Scatter.Fn.ADD, vector(BOOL, 0, 1, 0), longs(0, 1, 0), vector(BOOL, 1, 1, 1));
        assertArrayEquals(new long[] {1, 1, 0}, longs(sums));
    }

    @Test
    @Tag("quick")
    void selectsWholeSlices() {
        assertArrayEquals(new double[] {5, 6, 1, 2, 5, 6}, doubles(run(new IndexSelect(0), matrix, longs(2, 0, 2))));
        assertArrayEquals(new double[] {2, 4, 6}, doubles(run(new IndexSelect(1), matrix, longs(1L))));
        assertEquals(
                Shape.of(0, 2), run(new IndexSelect(0), matrix, empty(INT64, 0)).shape());
    }

    @Test
    void writesWholeSlices() {
        Array source = tensor(FLOAT32, Shape.of(2, 2), 10, 20, 30, 40);
        Array set = run(new IndexWrite(Scatter.Fn.SET, 0), matrix, longs(2, 2), source);
        assertArrayEquals(new double[] {1, 2, 3, 4, 30, 40}, doubles(set));
        Array added = run(new IndexWrite(Scatter.Fn.ADD, 0), matrix, longs(2, 2), source);
        assertArrayEquals(new double[] {1, 2, 3, 4, 45, 66}, doubles(added));
        Array columns = tensor(FLOAT32, Shape.of(3, 1), 7, 8, 9);
        Array along = run(new IndexWrite(Scatter.Fn.MAX, 1), matrix, longs(0L), columns);
        assertArrayEquals(new double[] {7, 2, 8, 4, 9, 6}, doubles(along));
    }

    @Test
    void findsWhatIsNotZero() {
        Array numbers = transposed(tensor(FLOAT32, Shape.of(2, 2), 0, Double.NaN, -1, 0));
        Array found = run(new Nonzero(2), numbers);
        assertEquals(Shape.of(2, 2), found.shape());
        assertArrayEquals(new long[] {0, 1, 1, 0}, longs(found));
        assertEquals(Shape.of(1, 0), run(new Nonzero(1), scalar(FLOAT32, 3)).shape());
    }

    @Test
    void aWrongCountIsOurs() {
        OutpostException fault =
                assertThrows(OutpostException.class, () -> run(new Nonzero(3), vector(FLOAT32, 1, 0, 2)));
        assertEquals("nonzero: the stated count is wrong, got 3 and 2", fault.getMessage());
        assertEquals(FaultKind.INTERNAL, fault.kind());
    }

    private static Array scatter(Scatter.Fn fn, Array base, Array index, Array source) {
        return run(new Scatter(fn, 0), base, index, source);
    }

    private static String fault(Op op, Array... operands) {
        OutpostException fault = assertThrows(OutpostException.class, () -> run(op, operands));
        assertEquals(FaultKind.USER, fault.kind());
        return fault.getMessage();
    }
}
