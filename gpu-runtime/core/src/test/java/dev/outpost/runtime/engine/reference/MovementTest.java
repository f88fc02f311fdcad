package dev.outpost.runtime.engine.reference;

import static dev.outpost.runtime.engine.reference.ReferenceOp.doubles;
import static dev.outpost.runtime.engine.reference.ReferenceOp.empty;
import static dev.outpost.runtime.engine.reference.ReferenceOp.run;
import static dev.outpost.runtime.engine.reference.ReferenceOp.scalar;
import static dev.outpost.runtime.engine.reference.ReferenceOp.tensor;
import static dev.outpost.runtime.engine.reference.ReferenceOp.transposed;
import static dev.outpost.runtime.engine.reference.ReferenceOp.vector;
import static dev.outpost.types.DType.FLOAT32;
import static dev.outpost.types.DType.INT64;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.op.Concat;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class MovementTest {
    private final Array matrix = tensor(FLOAT32, Shape.of(2, 3), 1, 2, 3, 4, 5, 6);

    @Test
    void copiesMakeViewsContiguous() {
        Array copy = run(Unary.COPY, transposed(matrix));
        assertEquals(Layout.contiguous(Shape.of(3, 2)), copy.layout());
        assertArrayEquals(new double[] {1, 4, 2, 5, 3, 6}, doubles(copy));
        assertArrayEquals(new double[] {9}, doubles(run(Unary.COPY, scalar(INT64, 9))));
        assertArrayEquals(new double[0], doubles(run(Unary.COPY, empty(FLOAT32, 3, 0))));
    }

    @Test
    void writesThroughAView() {
        Layout column = Layout.contiguous(Shape.of(2, 3)).select(1, 1);
        Array written = run(new StridedWrite(column), matrix, vector(FLOAT32, 10, 20));
        assertArrayEquals(new double[] {1, 10, 3, 4, 20, 6}, doubles(written));
        Array unread = run(new StridedWrite(Layout.of(Shape.of(0), new long[] {1}, 99)), matrix, empty(FLOAT32, 0));
        assertArrayEquals(doubles(matrix), doubles(unread));
    }

    @Test
    void putsOneAfterTheOther() {
        Array below = run(new Concat(0), matrix, tensor(FLOAT32, Shape.of(1, 3), 7, 8, 9), empty(FLOAT32, 0, 3));
        assertArrayEquals(new double[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, doubles(below));
        Array beside = run(new Concat(1), transposed(matrix), tensor(FLOAT32, Shape.of(3, 1), 7, 8, 9));
        assertArrayEquals(new double[] {1, 4, 7, 2, 5, 8, 3, 6, 9}, doubles(beside));
    }
}
