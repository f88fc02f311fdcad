package dev.outpost.runtime.engine.reference;

import static dev.outpost.runtime.engine.reference.ReferenceOp.doubles;
import static dev.outpost.runtime.engine.reference.ReferenceOp.empty;
import static dev.outpost.runtime.engine.reference.ReferenceOp.longs;
import static dev.outpost.runtime.engine.reference.ReferenceOp.run;
import static dev.outpost.runtime.engine.reference.ReferenceOp.tensor;
import static dev.outpost.runtime.engine.reference.ReferenceOp.viewed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.op.Matmul;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class MatrixProductTest {
    private final Array left = tensor(DType.FLOAT32, Shape.of(1, 2, 3), 1, 2, 3, 4, 5, 6);
    private final Array right = tensor(DType.FLOAT32, Shape.of(1, 3, 2), 7, 8, 9, 10, 11, 12);

    @Test
    void multipliesMatrices() {
        assertArrayEquals(new double[] {58, 64, 139, 154}, doubles(run(new Matmul(), left, right)));
    }

    @Test
    void multipliesTransposedAndRepeatedViews() {
        Array turned = viewed(left, left.layout().transpose(1, 2));
        assertArrayEquals(new double[] {17, 22, 27, 22, 29, 36, 27, 36, 45}, doubles(run(new Matmul(), turned, left)));
        Array twice = viewed(right, right.layout().expand(Shape.of(2, 3, 2)));
        Array both = tensor(DType.FLOAT32, Shape.of(2, 1, 3), 1, 0, 0, 0, 0, 1);
        assertArrayEquals(new double[] {7, 8, 11, 12}, doubles(run(new Matmul(), both, twice)));
    }

    @Test
    void anEmptySumIsZero() {
        Array product = run(new Matmul(), empty(DType.FLOAT32, 1, 2, 0), empty(DType.FLOAT32, 1, 0, 2));
        assertArrayEquals(new double[4], doubles(product));
        assertEquals(
                Shape.of(0, 2, 2),
                run(new Matmul(), empty(DType.INT64, 0, 2, 3), empty(DType.INT64, 0, 3, 2))
                        .shape());
    }

    @Test
    void integersWrap() {
        Array bytes = tensor(DType.INT8, Shape.of(1, 1, 2), 100, 100);
        Array column = tensor(DType.INT8, Shape.of(1, 2, 1), 1, 1);
        assertArrayEquals(new long[] {(byte) 200}, longs(run(new Matmul(), bytes, column)));
    }
}
