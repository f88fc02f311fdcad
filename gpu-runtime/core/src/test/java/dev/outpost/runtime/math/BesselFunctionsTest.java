package dev.outpost.runtime.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Values are mpmath's to 30 digits. Near a zero the absolute error counts. */
@Tag("quick")
class BesselFunctionsTest {
    private static void check(DoubleUnaryOperator function, double[][] known) {
        for (double[] pair : known) {
            assertClose(pair[1], function.applyAsDouble(pair[0]), "at " + pair[0]);
        }
    }

    private static void checkPair(DoubleBinaryOperator function, double a, double x, double expected) {
        assertClose(expected, function.applyAsDouble(a, x), "at " + a + ", " + x);
    }

    private static void assertClose(double expected, double actual, String where) {
        assertEquals(expected, actual, Math.abs(expected) * 1e-13 + (Math.abs(expected) > 1e-3 ? 1e-14 : 0), where);
    }

    @Test
    void i0() {
        check(SpecialFunctions::i0, new double[][] {
            {-700.0, 1.5295933476718737e+302},
            {-20.0, 43558282.559553534},
            {-8.0, 427.5641157218048},
            {-3.5, 7.3782034322254795},
            {0.0, 1.0},
            {0.3, 1.022626879351597},
            {7.9, 389.406283282158},
            {8.1, 469.5006067101215},
            {50.0, 2.9325537838493362e+20}
        });
    }

    @Test
    void i0e() {
        check(SpecialFunctions::i0e, new double[][] {
            {-20.0, 0.08978031188482602},
            {0.0, 1.0},
            {2.0, 0.30850832255367105},
            {8.5, 0.13900184305484758},
            {10000.0, 0.003989472674604732}
        });
    }

    @Test
    void i1() {
        check(SpecialFunctions::i1, new double[][] {
            {-20.0, -42454973.38512777},
            {-3.5, -6.205834922258365},
            {0.3, 0.15169384000359276},
            {7.9, 363.8539440845084},
            {8.1, 439.48430891035844},
            {50.0, 2.903078590103557e+20}
        });
    }

    @Test
    void i1e() {
        check(SpecialFunctions::i1e, new double[][] {
            {-20.0, -0.08750622218328867},
            {2.0, 0.21526928924893765},
            {8.5, 0.13054935509459586},
            {10000.0, 0.003989273195983662}
        });
    }

    @Test
    void besselJ0() {
        check(SpecialFunctions::besselJ0, new double[][] {
            {-9.0, -0.09033361118287614},
            {0.0, 1.0},
            {1.0, 0.7651976865579666},
            {7.9, 0.19436184484127825},
            {8.2, 0.12221530178413774},
            {25.0, 0.09626678327595811},
            {1000.0, 0.024786686152420176}
        });
    }

    @Test
    void besselJ1() {
        check(SpecialFunctions::besselJ1, new double[][] {
            {-9.0, -0.24531178657332528},
            {0.1, 0.049937526036242},
            {1.0, 0.4400505857449335},
            {7.9, 0.2191793999217512},
            {8.2, 0.2579985976486809},
            {25.0, -0.1253502495802899},
            {1000.0, 0.004728311907089524}
        });
    }

    @Test
    void besselY0() {
        check(SpecialFunctions::besselY0, new double[][] {
            {0.01, -3.005455637083646},
            {1.0, 0.08825696421567696},
            {7.9, 0.20652094814437577},
            {8.2, 0.2501180276190547},
            {25.0, -0.12724943226800614},
            {1000.0, 0.0047159179776228135}
        });
    }

    @Test
    void besselY1() {
        check(SpecialFunctions::besselY1, new double[][] {
            {0.01, -63.67859628206065},
            {1.0, -0.7812128213002887},
            {7.9, -0.18172107728057313},
            {8.2, -0.10724072225081677},
            {25.0, -0.09882996478323741},
            {1000.0, -0.024784331292351778}
        });
    }

    @Test
    void modifiedBesselK0() {
        check(SpecialFunctions::modifiedBesselK0, new double[][] {
            {1e-05, 11.628856980944363},
            {0.5, 0.9244190712276659},
            {1.9, 0.1288459792760475},
            {2.1, 0.10078374088996693},
            {10.0, 1.778006231616765e-05},
            {300.0, 3.7236948548891435e-132}
        });
    }

    /** By the integral of exp(-x (cosh t - 1)) from 0 on. The trapezoidal rule is exact but for rounding, which is below 8 units. */
    @Test
    void modifiedBesselK0IsWithinItsBound() {
        for (double x = 0.01; x < 600; x *= 1.07) {
            double step = 1.0 / 64;
            double at = x;
            // The sum of a stream compensates rounding errors.
            double scaled = step
                    * IntStream.range(0, 640)
                            .mapToDouble(place -> (place == 0 ? 0.5 : 1) * integrand(at, place * step))
                            .sum();
            assertEquals(scaled, SpecialFunctions.scaledModifiedBesselK0(x), 8 * Math.ulp(scaled), "at " + x);
            double exact = scaled * Math.exp(-x);
            assertEquals(exact, SpecialFunctions.modifiedBesselK0(x), 8 * Math.ulp(exact), "at " + x);
        }
    }

    private static double integrand(double x, double t) {
        double half = Math.sinh(t / 2);
        return Math.exp(-2 * x * half * half);
    }

    @Test
    void modifiedBesselK1() {
        check(SpecialFunctions::modifiedBesselK1, new double[][] {
            {1e-05, 99999.99993935571},
            {0.5, 1.656441120003301},
            {1.9, 0.15966015303266762},
            {2.1, 0.12274641153350789},
            {10.0, 1.8648773453825585e-05},
            {300.0, 3.7298958583323724e-132}
        });
    }

    @Test
    void scaledModifiedBesselK0() {
        check(SpecialFunctions::scaledModifiedBesselK0, new double[][] {
            {0.5, 1.5241093857739094},
            {2.1, 0.8230171525316621},
            {1000.0, 0.03962832160075422}
        });
    }

    @Test
    void scaledModifiedBesselK1() {
        check(SpecialFunctions::scaledModifiedBesselK1, new double[][] {
            {0.5, 2.731009708211786},
            {2.1, 1.0023680527405792},
            {1000.0, 0.03964813081296021}
        });
    }

    @Test
    void airyAi() {
        check(SpecialFunctions::airyAi, new double[][] {
            {-50.0, -0.1618814236123209},
            {-8.0, -0.0527050503563862},
            {-3.1, -0.4043822223909783},
            {-2.9, -0.341905095672983},
            {0.0, 0.3550280538878172},
            {1.9, 0.0405944200315295},
            {2.1, 0.029952602115866523},
            {10.0, 1.1047532552898686e-10},
            {50.0, 4.5849417240748285e-104}
        });
    }

    @Test
    void airyAiSlope() {
        check(SpecialFunctions::airyAiSlope, new double[][] {
            {-50.0, 0.968989837276749},
            {-8.0, 0.9355609381983065},
            {-3.1, 0.1948204460039788},
            {-2.9, 0.42118281160364845},
            {0.0, -0.2588194037928068},
            {1.9, -0.060436781785756545},
            {2.1, -0.04645599403267459},
            {10.0, -3.5206336767389237e-10},
            {50.0, -3.244331819828799e-103}
        });
    }

    @Test
    void ndtri() {
        check(SpecialFunctions::ndtri, new double[][] {
            {1e-300, -37.0470962993612},
            {1e-20, -9.262340089798407},
            {1e-05, -4.264890793922825},
            {0.02, -2.053748910631823},
            {0.03, -1.8807936081512509},
            {0.3, -0.5244005127080408},
            {0.6, 0.2533471031357997},
            {0.95, 1.6448536269514722}
        });
    }

    @Test
    void igamma() {
        checkPair(SpecialFunctions::igamma, 0.5, 0.1, 0.345279153981423);
        checkPair(SpecialFunctions::igamma, 2.0, 1.0, 0.26424111765711533);
        checkPair(SpecialFunctions::igamma, 2.0, 5.0, 0.9595723180054871);
        checkPair(SpecialFunctions::igamma, 10.0, 9.0, 0.4125917556680586);
        checkPair(SpecialFunctions::igamma, 150.0, 140.0, 0.20954362391860706);
        checkPair(SpecialFunctions::igamma, 1000.0, 1010.0, 0.6276789447369947);
    }

    @Test
    void igammac() {
        checkPair(SpecialFunctions::igammac, 0.5, 0.1, 0.654720846018577);
        checkPair(SpecialFunctions::igammac, 2.0, 1.0, 0.7357588823428847);
        checkPair(SpecialFunctions::igammac, 2.0, 5.0, 0.040427681994512805);
        checkPair(SpecialFunctions::igammac, 10.0, 30.0, 7.121750862815577e-06);
        checkPair(SpecialFunctions::igammac, 150.0, 160.0, 0.20437381176567754);
        checkPair(SpecialFunctions::igammac, 1000.0, 990.0, 0.620478621462036);
    }

    @Test
    void zeta() {
        checkPair(SpecialFunctions::zeta, 2.0, 1.0, 1.6449340668482264);
        checkPair(SpecialFunctions::zeta, 2.5, 0.3, 21.069239202247726);
        checkPair(SpecialFunctions::zeta, 3.0, 20.0, 0.0013140612011573274);
        checkPair(SpecialFunctions::zeta, 30.0, 1.5, 5.215096203815732e-06);
        checkPair(SpecialFunctions::zeta, 1.01, 4.0, 98.7517057560542);
    }

    @Test
    void ends() {
        assertEquals(Double.NEGATIVE_INFINITY, SpecialFunctions.besselY0(0));
        assertEquals(Double.NaN, SpecialFunctions.besselY1(-1));
        assertEquals(Double.POSITIVE_INFINITY, SpecialFunctions.modifiedBesselK0(0));
        assertEquals(0, SpecialFunctions.scaledModifiedBesselK1(Double.POSITIVE_INFINITY));
        assertEquals(0, SpecialFunctions.airyAi(Double.POSITIVE_INFINITY));
        assertEquals(Double.NEGATIVE_INFINITY, SpecialFunctions.ndtri(0));
        assertEquals(Double.POSITIVE_INFINITY, SpecialFunctions.ndtri(1));
        assertEquals(Double.NaN, SpecialFunctions.ndtri(1.5));
        assertEquals(Double.POSITIVE_INFINITY, SpecialFunctions.zeta(1, 3));
        assertEquals(Double.NaN, SpecialFunctions.zeta(0.5, 3));
        assertEquals(Double.NaN, SpecialFunctions.zeta(2.5, -0.5));
        assertEquals(1, SpecialFunctions.igamma(0, 2));
        assertEquals(Double.NaN, SpecialFunctions.igamma(0, 0));
        assertEquals(1, SpecialFunctions.igammac(2, 0));
        assertEquals(Double.NaN, SpecialFunctions.igammac(2, -1));
    }
}
