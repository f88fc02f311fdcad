package dev.outpost.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** NaNs stay NaNs with their sign. Their other bits do not matter, because conversions make them quiet. */
@Tag("quick")
class HalfTest {
    private static final int PATTERNS = 1 << 16;

    @Test
    void everyFloat16RoundTrips() {
        for (int bits = 0; bits < PATTERNS; bits++) {
            float value = Half.fromFloat16((short) bits);
            short back = Half.toFloat16(value);
            assertSame(bits, value, back, (bits & 0x7fff) > 0x7c00, Half.fromFloat16(back));
        }
    }

    @Test
    void everyBfloat16RoundTrips() {
        for (int bits = 0; bits < PATTERNS; bits++) {
            float value = Half.fromBfloat16((short) bits);
            short back = Half.toBfloat16(value);
            assertSame(bits, value, back, (bits & 0x7fff) > 0x7f80, Half.fromBfloat16(back));
        }
    }

    @Test
    void bfloat16RoundsToNearestAndTiesToEven() {
        assertEquals(0x3f80, Half.toBfloat16(Float.intBitsToFloat(0x3f808000)));
        assertEquals(0x3f82, Half.toBfloat16(Float.intBitsToFloat(0x3f818000)));
        assertEquals(0x3f81, Half.toBfloat16(Float.intBitsToFloat(0x3f808001)));
        assertEquals(0x3f80, Half.toBfloat16(Float.intBitsToFloat(0x3f807fff)));
    }

    @Test
    void overflowBecomesInfinite() {
        assertEquals((short) 0x7f80, Half.toBfloat16(Float.MAX_VALUE));
        assertEquals((short) 0xff80, Half.toBfloat16(-Float.MAX_VALUE));
        assertEquals((short) 0x7c00, Half.toFloat16(65_520f));
        assertEquals((short) 0x7bff, Half.toFloat16(65_519f));
    }

    /** Every float between two neighbours is rounded to the nearer one: tests the midpoint and its neighbours. */
    @Test
    void bfloat16RoundsEveryMidpointToEven() {
        for (int bits = 0; bits < 0x7f80; bits++) {
            int even = (bits & 1) == 0 ? bits : bits + 1;
            int midpoint = (bits << 16) | 0x8000;
            assertEquals(even, Half.toBfloat16(Float.intBitsToFloat(midpoint)));
            assertEquals(bits, Half.toBfloat16(Float.intBitsToFloat(midpoint - 1)));
            assertEquals(bits + 1, Half.toBfloat16(Float.intBitsToFloat(midpoint + 1)));
        }
    }

    @Test
    void nanWithLowBitsOnlyStaysNan() {
        float hidden = Float.intBitsToFloat(0x7f800001);
        assertTrue(Float.isNaN(Half.fromBfloat16(Half.toBfloat16(hidden))));
        assertTrue(Float.isNaN(Half.fromFloat16(Half.toFloat16(hidden))));
    }

    private static void assertSame(int bits, float value, short back, boolean isNan, float again) {
        assertEquals(isNan, Float.isNaN(value), () -> Integer.toHexString(bits));
        if (isNan) {
            assertTrue(Float.isNaN(again) && (back < 0) == ((short) bits < 0), () -> Integer.toHexString(bits));
        } else {
            assertEquals((short) bits, back, () -> Integer.toHexString(bits));
        }
    }
}
