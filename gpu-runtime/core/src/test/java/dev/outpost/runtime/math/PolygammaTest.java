package dev.outpost.runtime.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class PolygammaTest {
    private static final double RELATIVE = 1e-13;

    private static void assertPolygamma(double expected, double order, double x) {
        double actual = SpecialFunctions.polygamma(order, x);
        assertEquals(expected, actual, Math.abs(expected) * RELATIVE, "polygamma(" + order + ", " + x + ")");
    }

    /** Closed forms: DLMF 5.15.2 and 5.15.3. */
    @Test
    void knownValues() {
        double zeta3 = 1.2020569031595942854;
        assertPolygamma(Math.PI * Math.PI / 6, 1, 1);
        assertPolygamma(Math.PI * Math.PI / 2, 1, 0.5);
        assertPolygamma(-2 * zeta3, 2, 1);
        assertPolygamma(-14 * zeta3, 2, 0.5);
        assertPolygamma(Math.pow(Math.PI, 4) / 15, 3, 1);
        assertPolygamma(SpecialFunctions.digamma(2.5), 0, 2.5);
    }

    /** The recurrence, DLMF 5.15.5, ties small, negative and large arguments together. */
    @Test
    void eachValueFollowsFromTheNext() {
        for (double x : new double[] {-2.5, -0.3, 0.01, 0.9, 3, 11.5, 200}) {
            assertPolygamma(SpecialFunctions.polygamma(1, x + 1) + 1 / (x * x), 1, x);
            assertPolygamma(SpecialFunctions.polygamma(2, x + 1) - 2 / (x * x * x), 2, x);
        }
    }

    @Test
    void polesAndWhatIsNotDefined() {
        assertEquals(Double.POSITIVE_INFINITY, SpecialFunctions.polygamma(1, 0));
        assertEquals(Double.POSITIVE_INFINITY, SpecialFunctions.polygamma(1, -3));
        assertEquals(Double.POSITIVE_INFINITY, SpecialFunctions.polygamma(1, Double.NEGATIVE_INFINITY));
        assertEquals(0, SpecialFunctions.polygamma(1, Double.POSITIVE_INFINITY));
        assertEquals(Double.NaN, SpecialFunctions.polygamma(1, Double.NaN));
        assertEquals(Double.NaN, SpecialFunctions.polygamma(1.5, 2));
        assertEquals(Double.NaN, SpecialFunctions.polygamma(-1, 2));
    }
}
