package dev.outpost.types;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static dev.outpost.protocol.RefusalAssertions.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class DTypeTest {

    /** Codes are on the wire: this list may grow at its end and change nowhere else. */
    @Test
    void codesAreStable() {
        assertEquals(
                "[float32, float64, float16, bfloat16, int64, int32, int16, int8, uint8, bool]",
                Arrays.toString(DType.values()));
    }

    @Test
    void everyDTypeIsFoundByCodeAndByLabel() {
        for (DType dtype : DType.values()) {
            assertSame(dtype, DType.ofCode(dtype.code()));
            assertSame(dtype, DType.ofLabel(dtype.label()));
        }
    }

    @Test
    void unknownCodesAreMalformed() {
        assertMalformed("dtype code 10 is unknown", () -> DType.ofCode(10));
        assertMalformed("dtype code -1 is unknown", () -> DType.ofCode(-1));
    }

    @Test
    void anUnknownLabelIsAnsweredWithTheKnownOnes() {
        var refused = assertThrows(IllegalArgumentException.class, () -> DType.ofLabel("float"));
        assertEquals("no dtype is called float; there are " + Arrays.toString(DType.values()), refused.getMessage());
    }

    @Test
    void aTypeKnowsItsBytes() {
        assertEquals(24, new TensorType(DType.FLOAT32, Shape.of(2, 3)).bytes());
        assertEquals("float32[2,3]", new TensorType(DType.FLOAT32, Shape.of(2, 3)).toString());
    }

    @Test
    void aTypeWhoseBytesOverflowIsRefused() {
        TensorType huge = new TensorType(DType.FLOAT64, Shape.of(1L << 61));
        assertRefused("shape: the number of bytes overflows, got float64[2305843009213693952]", huge::bytes);
    }
}
