package dev.outpost.runtime.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.CpuTime;
import java.time.Duration;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.api.Test;

class OrthogonalPolynomialsTest {
    private static final double[] POINTS = {-3, -1, -0.8, -0.25, 0, 0.3, 0.999, 1, 1.5};

    /** DLMF table 18.5.1 and 18.5.9 to 18.5.12, written out. */
    @Test
    void degreeThreeIsTheCubic() {
        for (double x : POINTS) {
            double cube = x * x * x;
            close(4 * cube - 3 * x, OrthogonalPolynomials.chebyshevT(x, 3), x);
            close(8 * cube - 4 * x, OrthogonalPolynomials.chebyshevU(x, 3), x);
            close(8 * cube - 4 * x * x - 4 * x + 1, OrthogonalPolynomials.chebyshevV(x, 3), x);
            close(8 * cube + 4 * x * x - 4 * x - 1, OrthogonalPolynomials.chebyshevW(x, 3), x);
            close(8 * cube - 12 * x, OrthogonalPolynomials.hermiteH(x, 3), x);
            close(cube - 3 * x, OrthogonalPolynomials.hermiteHe(x, 3), x);
            close((-cube + 9 * x * x - 18 * x + 6) / 6, OrthogonalPolynomials.laguerre(x, 3), x);
            close((5 * cube - 3 * x) / 2, OrthogonalPolynomials.legendre(x, 3), x);
        }
    }

    /** The cosine from degree 9 on agrees with two steps of the recurrence, at the ends as well. */
    @Test
    void higherDegreesGoOnWhereTheRecurrenceEnds() {
        for (DoubleBinaryOperator polynomial : new DoubleBinaryOperator[] {
            OrthogonalPolynomials::chebyshevT,
            OrthogonalPolynomials::chebyshevU,
            OrthogonalPolynomials::chebyshevV,
            OrthogonalPolynomials::chebyshevW
        }) {
            for (double x : POINTS) {
                for (int degree = 7; degree < 30; degree++) {
                    double next = 2 * x * polynomial.applyAsDouble(x, degree + 1) - polynomial.applyAsDouble(x, degree);
                    close(next, polynomial.applyAsDouble(x, degree + 2), x);
                }
            }
        }
    }

    @Test
    void degreeIsCutToWholeNumbers() {
        assertEquals(0, OrthogonalPolynomials.legendre(0.5, -1));
        assertEquals(1, OrthogonalPolynomials.legendre(0.5, -0.5));
        assertEquals(1, OrthogonalPolynomials.laguerre(0.5, 0.9));
        assertEquals(0.5, OrthogonalPolynomials.hermiteHe(0.5, 1.7));
        assertEquals(Double.NaN, OrthogonalPolynomials.chebyshevT(0.5, Double.NaN));
        assertEquals(Double.NaN, OrthogonalPolynomials.chebyshevT(Double.NaN, 4));
    }

    @Test
    void hugeDegreesEnd() throws Exception {
        Duration spent = CpuTime.of(() -> {
            for (double degree : new double[] {1e6, 1e18, 1e300, Double.POSITIVE_INFINITY}) {
                assertEquals(Double.NaN, OrthogonalPolynomials.legendre(0.5, degree));
                assertEquals(Double.NaN, OrthogonalPolynomials.laguerre(0.5, degree));
                OrthogonalPolynomials.hermiteH(0, degree);
                OrthogonalPolynomials.chebyshevU(1.0000001, degree);
            }
        });
        assertTrue(spent.compareTo(Duration.ofSeconds(5)) < 0, spent::toString);
        assertEquals(Math.cos(1e6 * Math.acos(0.3)), OrthogonalPolynomials.chebyshevT(0.3, 1e6));
    }

    private static void close(double expected, double actual, double x) {
        assertEquals(expected, actual, 1e-10 * (1 + Math.abs(expected)), () -> "at " + x);
    }
}
