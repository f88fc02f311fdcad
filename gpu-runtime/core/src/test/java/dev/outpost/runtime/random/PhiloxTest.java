package dev.outpost.runtime.random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class PhiloxTest {

    /** The three test vectors for philox4x32-10 in Random123's kat_vectors. */
    @Test
    void givesTheKnownAnswers() {
        assertArrayEquals(new int[] {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}, block(0, 0, 0));
        assertArrayEquals(new int[] {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}, block(-1, -1, -1));
        assertArrayEquals(
                new int[] {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
                block(0x299f31d0_a4093822L, 0x03707344_13198a2eL, 0x85a308d3_243f6a88L));
    }

    @Test
    void uniformsStayBelowOne() {
        assertEquals(1 - 0x1p-24f, Philox.uniformFloat(-1));
        assertEquals(1 - 0x1p-53, Philox.uniformDouble(-1, -1));
        assertEquals(0, Philox.uniformDouble(0, 0));
    }

    @Test
    void uniformsOfShortFormatsFitTheirSignificands() {
        assertEquals(1 - 0x1p-11f, Philox.uniformFloat(-1, 11));
        assertEquals(1 - 0x1p-8f, Philox.uniformFloat(-1, 8));
        assertEquals(Philox.uniformFloat(0x9b00dbd8), Philox.uniformFloat(0x9b00dbd8, 24));
    }

    @Test
    void normalsAreFiniteAtTheEnds() {
        assertEquals(Math.sqrt(64 * Math.log(2)), Philox.normal(0, 0), 1e-15);
        assertEquals(0, Math.abs(Philox.normal(-1, 0)));
    }

    @Test
    void integersCoverTheirRangeAndNoMore() {
        assertEquals(-3, Philox.integer(0, 0, -3, 4));
        assertEquals(3, Philox.integer(-1, -1, -3, 4));
        assertEquals(Long.MAX_VALUE - 1, Philox.integer(-1, -1, Long.MIN_VALUE, Long.MAX_VALUE));
    }

    @Test
    void normalsHaveMeanZeroAndVarianceOne() {
        int count = 100_000;
        double sum = 0;
        double squares = 0;
        for (int block = 0; block < count; block++) {
            int[] words = block(7, 0, block);
            double normal = Philox.normal(words[0], words[1]);
            sum += normal;
            squares += normal * normal;
        }
        assertEquals(0, sum / count, 0.02);
        assertEquals(1, squares / count, 0.02);
        assertTrue(Double.isFinite(squares));
    }

    private static int[] block(long seed, long call, long block) {
        int[] words = new int[4];
        Philox.block(seed, call, block, words);
        return words;
    }
}
