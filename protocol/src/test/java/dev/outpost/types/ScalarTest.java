package dev.outpost.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ScalarTest {

    @Test
    void integersWrapAroundTheirWidth() {
        assertEquals(-128, Scalar.of(DType.INT8, 128L).asLong());
        assertEquals(44, Scalar.of(DType.UINT8, 300L).asLong());
        assertEquals(255, Scalar.of(DType.UINT8, -1L).asLong());
        assertEquals(Short.MIN_VALUE, Scalar.of(DType.INT16, 32_768L).asLong());
        assertEquals(Integer.MIN_VALUE, Scalar.of(DType.INT32, 1L << 31).asLong());
        assertEquals(Long.MIN_VALUE, Scalar.of(DType.INT64, Long.MIN_VALUE).asLong());
    }

    @Test
    void realNumbersAreCutTowardZero() {
        assertEquals(-1, Scalar.of(DType.INT32, -1.9).asLong());
        assertEquals(44, Scalar.of(DType.UINT8, 300.7).asLong());
        assertEquals(0, Scalar.of(DType.INT64, Double.NaN).asLong());
    }

    /** As torch.full((), 0.5, dtype=torch.bool). */
    @Test
    void anythingButZeroIsTrue() {
        assertEquals(Scalar.of(true), Scalar.of(DType.BOOL, 0.5));
        assertEquals(Scalar.of(true), Scalar.of(DType.BOOL, Double.NaN));
        assertEquals(Scalar.of(true), Scalar.of(DType.BOOL, 256L));
        assertEquals(Scalar.of(false), Scalar.of(DType.BOOL, -0.0));
        assertEquals(Scalar.of(true), Scalar.of(DType.FLOAT32, 0.5).to(DType.BOOL));
        assertEquals(Scalar.of(true), Scalar.of(DType.INT32, 2L).to(DType.BOOL));
    }

    @Test
    void keepsTheBitsOfRealNumbers() {
        assertEquals(0x8000000000000000L, Scalar.of(DType.FLOAT64, -0.0).bits());
        assertTrue(Double.isNaN(Scalar.of(DType.FLOAT16, Double.NaN).asDouble()));
        assertEquals(3.0, Scalar.of(DType.BFLOAT16, 3L).asDouble());
    }

    @Test
    void convertsBetweenAllDTypes() {
        for (DType from : DType.values()) {
            for (DType to : DType.values()) {
                Scalar one = Scalar.of(from, 1L).to(to);
                assertEquals(Scalar.of(to, 1L), one, from + " to " + to);
            }
        }
    }

    @Test
    void convertsByWrapping() {
        assertEquals(-1, Scalar.of(DType.UINT8, 255L).to(DType.INT8).asLong());
        assertEquals(-2, Scalar.of(DType.FLOAT32, -2.5).to(DType.INT64).asLong());
        assertEquals(2, Scalar.of(DType.FLOAT64, 258.0).to(DType.UINT8).asLong());
    }

    @Test
    void toItsOwnDTypeIsItself() {
        Scalar scalar = Scalar.of(DType.INT8, 7L);
        assertSame(scalar, scalar.to(DType.INT8));
    }

    @Test
    void readsAsItsNumber() {
        assertEquals("0.5", Scalar.of(DType.FLOAT16, 0.5).toString());
        assertEquals("-3", Scalar.of(DType.INT16, -3L).toString());
    }
}
