package dev.outpost.runtime.engine.reference;

import static dev.outpost.runtime.engine.reference.ReferenceOp.doubles;
import static dev.outpost.runtime.engine.reference.ReferenceOp.longs;
import static dev.outpost.runtime.engine.reference.ReferenceOp.run;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Random;
import dev.outpost.runtime.random.Philox;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CreationTest {

    @Test
    @Tag("quick")
    void fillsWithOneNumber() {
        Fill longs = new Fill(Shape.of(2), Scalar.of(DType.INT64, Long.MAX_VALUE));
        assertArrayEquals(new long[] {Long.MAX_VALUE, Long.MAX_VALUE}, longs(run(longs)));
        assertArrayEquals(new double[] {0.1f}, doubles(run(new Fill(Shape.SCALAR, Scalar.of(DType.FLOAT32, 0.1)))));
        assertArrayEquals(new double[] {1}, doubles(run(new Fill(Shape.of(1, 1), Scalar.of(true)))));
    }

    @Test
    void rangesComputeWideAndRoundOnce() {
        Scalar tenth = Scalar.of(DType.FLOAT64, 0.1);
        double[] floats = doubles(run(new Arange(DType.FLOAT32, 4, tenth, tenth)));
        assertArrayEquals(new double[] {0.1f, 0.2f, (float) (0.1 + 2 * 0.1), 0.4f}, floats);
        Arange down = new Arange(DType.INT8, 3, Scalar.of(DType.INT64, 1), Scalar.of(DType.INT64, -2));
        assertArrayEquals(new long[] {1, -1, -3}, longs(run(down)));
        assertEquals(0, doubles(run(new Arange(DType.INT64, 0, tenth, tenth))).length);
    }

    /** Element 0 of seed 0 and call 0 is in Random123's first known block, 6627e8d5 e169c58d bc57ac4c 9b00dbd8. */
    @Test
    @Tag("quick")
    void uniformsFollowPhilox() {
        double[] shorts = doubles(run(random(Random.Fn.UNIFORM, DType.FLOAT32, 4, 0, 0)));
        double[] expected = {0x6627e8 * 0x1p-24, 0xe169c5 * 0x1p-24, 0xbc57ac * 0x1p-24, 0x9b00db * 0x1p-24};
        assertArrayEquals(expected, shorts);
        double[] wide = doubles(run(random(Random.Fn.UNIFORM, DType.FLOAT64, 2, 0, 0)));
        assertEquals((0xe169c58d6627e8d5L >>> 11) * 0x1p-53, wide[0]);
        assertEquals((0x9b00dbd8bc57ac4cL >>> 11) * 0x1p-53, wide[1]);
    }

    @Test
    void normalsFollowPhilox() {
        double[] normals = doubles(run(random(Random.Fn.NORMAL, DType.FLOAT64, 2, 0, 0)));
        assertEquals(Philox.normal(0x6627e8d5, 0xe169c58d), normals[0]);
        assertEquals(Philox.normal(0xbc57ac4c, 0x9b00dbd8), normals[1]);
    }

    @Test
    void shortUniformsStayBelowOne() {
        for (DType dtype : new DType[] {DType.FLOAT16, DType.BFLOAT16}) {
            double[] elements = doubles(run(random(Random.Fn.UNIFORM, dtype, 20_000, 0, 0)));
            assertTrue(Arrays.stream(elements).allMatch(element -> element >= 0 && element < 1), dtype::label);
            assertEquals(0.5, Arrays.stream(elements).average().orElseThrow(), 0.01);
        }
    }

    @Test
    void integersStayWithinTheirBounds() {
        long[] elements = longs(run(random(Random.Fn.INTEGER, DType.INT8, 1000, -3, 4)));
        assertEquals(-3, Arrays.stream(elements).min().orElseThrow());
        assertEquals(3, Arrays.stream(elements).max().orElseThrow());
    }

    @Test
    void callsAndSeedsDiffer() {
        TensorType type = new TensorType(DType.FLOAT32, Shape.of(8));
        double[] first = doubles(run(new Random(Random.Fn.UNIFORM, type, 1, 0, 0, 0)));
        assertTrue(!Arrays.equals(first, doubles(run(new Random(Random.Fn.UNIFORM, type, 1, 1, 0, 0)))));
        assertTrue(!Arrays.equals(first, doubles(run(new Random(Random.Fn.UNIFORM, type, 2, 0, 0, 0)))));
        assertArrayEquals(first, doubles(run(new Random(Random.Fn.UNIFORM, type, 1, 0, 0, 0))));
    }

    private static Random random(Random.Fn fn, DType dtype, long count, long low, long high) {
        return new Random(fn, new TensorType(dtype, Shape.of(count)), 0, 0, low, high);
    }
}
