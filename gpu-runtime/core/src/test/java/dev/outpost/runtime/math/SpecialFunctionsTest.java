package dev.outpost.runtime.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Against values that mpmath 1.3 computed with 40 digits. */
@Tag("quick")
class SpecialFunctionsTest {
    /** A few units in the last place. */
    private static final double RELATIVE = 1e-15;

    @Test
    void erf() {
        check(SpecialFunctions::erf, new double[][] {
            {1e-10, 1.1283791670955126e-10},
            {0.3, 0.3286267594591274},
            {0.9, 0.7969082124228322},
            {1.1, 0.8802050695740817},
            {-2.0, -0.9953222650189527},
            {3.5, 0.9999992569016276},
            {5.9, 0.9999999999999999}
        });
    }

    @Test
    void erfc() {
        check(SpecialFunctions::erfc, new double[][] {
            {-3.0, 1.9999779095030015},
            {-0.5, 1.5204998778130465},
            {0.1, 0.887537083981715},
            {0.6, 0.3961439091520741},
            {1.0, 0.15729920705028513},
            {2.0, 0.004677734981047266},
            {5.0, 1.537459794428035e-12},
            {26.0, 5.663192408856143e-296}
        });
    }

    @Test
    void erfcx() {
        check(SpecialFunctions::erfcx, new double[][] {
            {-26.5, 1.924553162418569e+305},
            {-5.0, 144009798674.66104},
            {-1.0, 5.008980080762283},
            {-0.3, 1.4537492328427655},
            {0.1, 0.8964569799691267},
            {0.6, 0.567804717386587},
            {1.0, 0.427583576155807},
            {1.2, 0.37853741692923976},
            {1.3, 0.3576426690860903},
            {2.0, 0.25539567631050575},
            {3.5, 0.1552936556088943},
            {10.0, 0.05614099274382259},
            {27.5, 0.0205024473846148},
            {100.0, 0.0056416137829894296},
            {1e10, 5.641895835477563e-11},
            {1e300, 5.641895835477562e-301}
        });
        assertEquals(Double.POSITIVE_INFINITY, SpecialFunctions.erfcx(-27));
        assertEquals(Double.POSITIVE_INFINITY, SpecialFunctions.erfcx(Double.NEGATIVE_INFINITY));
        assertEquals(0, SpecialFunctions.erfcx(Double.POSITIVE_INFINITY));
        assertEquals(Double.NaN, SpecialFunctions.erfcx(Double.NaN));
    }

    @Test
    void erfinv() {
        check(SpecialFunctions::erfinv, new double[][] {
            {1e-12, 8.86226925452758e-13},
            {-0.2, -0.1791434546212917},
            {0.5, 0.4769362762044699},
            {0.9, 1.1630871536766743},
            {0.999999, 3.458910737275499},
            {-0.9999999999999, -5.261483331372676},
            {0.9999999999999999, 5.8635847487551676}
        });
    }

    @Test
    void lgamma() {
        check(SpecialFunctions::lgamma, new double[][] {
            {1e-20, 46.051701859880914},
            {0.3, 1.0957979948180756},
            {0.95, 0.030968795237972926},
            {1.0001, -5.771334222047127e-05},
            {1.4, -0.1196129141723713},
            {1.9, -0.03898427592308336},
            {2.5, 0.2846828704729192},
            {7.7, 7.926541356269005},
            {50.5, 146.51925549072064},
            {150.0, 600.0094705553274},
            {-0.5, 1.2655121234846454},
            {-3.25, -0.6231534513209986},
            {-20.7, -43.105133189536225}
        });
    }

    @Test
    void digamma() {
        check(SpecialFunctions::digamma, new double[][] {
            {1e-05, -100000.57719921567},
            {0.4, -2.561384544585116},
            {1.4616321449683622, -9.241265521729427e-17},
            {1.5, 0.03648997397857652},
            {5.5, 1.6110931485817512},
            {9.99, 2.250700372831201},
            {10.0, 2.251752589066721},
            {1000.0, 6.907255195648812},
            {-0.3, 2.113309779635399},
            {-7.25, 5.189977214956288}
        });
    }

    @Test
    void asinh() {
        check(SpecialFunctions::asinh, new double[][] {
            {1e-12, 1e-12},
            {0.1, 0.09983407889920756},
            {-1.5, -1.1947632172871092},
            {40.0, 4.382182848065498},
            {1e+300, 691.4686750787737}
        });
    }

    @Test
    void acosh() {
        check(SpecialFunctions::acosh, new double[][] {
            {1.0000001, 0.0004472135919037347},
            {1.5, 0.9624236501192069},
            {3.0, 1.762747174039086},
            {1e+300, 691.4686750787737}
        });
    }

    @Test
    void atanh() {
        check(SpecialFunctions::atanh, new double[][] {
            {1e-12, 1e-12},
            {-0.3, -0.3095196042031117},
            {0.7, 0.8673005276940531},
            {0.999999, 7.254328619247669}
        });
    }

    @Test
    void sigmoid() {
        check(SpecialFunctions::sigmoid, new double[][] {
            {-700.0, 9.85967654375977e-305},
            {-3.0, 0.04742587317756678},
            {0.5, 0.6224593312018546},
            {40.0, 1.0}
        });
    }

    @Test
    void log2() {
        check(SpecialFunctions::log2, new double[][] {
            {1e-310, -1029.7977094150824},
            {0.7, -0.5145731728297583},
            {1.0000001, 1.4426949695965583e-07},
            {10.0, 3.321928094887362},
            {1e+300, 996.5784284662087}
        });
    }

    @Test
    void endsOfTheDomains() {
        assertEquals(Double.POSITIVE_INFINITY, SpecialFunctions.erfinv(1));
        assertEquals(Double.NEGATIVE_INFINITY, SpecialFunctions.erfinv(-1));
        assertEquals(Double.NaN, SpecialFunctions.erfinv(1.5));
        assertEquals(Double.POSITIVE_INFINITY, SpecialFunctions.lgamma(-3));
        assertEquals(Double.POSITIVE_INFINITY, SpecialFunctions.lgamma(-0.0));
        assertEquals(Double.NEGATIVE_INFINITY, SpecialFunctions.digamma(0.0));
        assertEquals(Double.POSITIVE_INFINITY, SpecialFunctions.digamma(-0.0));
        assertEquals(Double.NaN, SpecialFunctions.digamma(-2));
        assertEquals(Double.NaN, SpecialFunctions.acosh(0.5));
        assertEquals(Double.NaN, SpecialFunctions.acosh(-0x1p31));
        assertEquals(Double.NaN, SpecialFunctions.acosh(-1e300));
        assertEquals(Double.POSITIVE_INFINITY, SpecialFunctions.atanh(1));
        assertEquals(0, SpecialFunctions.erfc(Double.POSITIVE_INFINITY));
        assertEquals(2, SpecialFunctions.erfc(Double.NEGATIVE_INFINITY));
    }

    @Test
    void zerosAndPowersAreExact() {
        assertEquals(0.0, SpecialFunctions.lgamma(1));
        assertEquals(0.0, SpecialFunctions.lgamma(2));
        assertEquals(29, SpecialFunctions.log2(1 << 29));
        assertEquals(-1074, SpecialFunctions.log2(Double.MIN_VALUE));
        assertEquals(0x1p-1074, SpecialFunctions.exp2(-1074));
        assertEquals(-0.0, SpecialFunctions.erf(-0.0));
        assertEquals(-0.0, SpecialFunctions.asinh(-0.0));
    }

    @Test
    void powersAreAsInC() {
        assertEquals(1, SpecialFunctions.pow(1, Double.NaN));
        assertEquals(1, SpecialFunctions.pow(1, Double.NEGATIVE_INFINITY));
        assertEquals(1, SpecialFunctions.pow(-1, Double.POSITIVE_INFINITY));
        assertEquals(Double.NaN, SpecialFunctions.pow(-1, Double.NaN));
        assertEquals(0.125, SpecialFunctions.pow(2, -3));
    }

    private static void check(DoubleUnaryOperator function, double[][] table) {
        for (double[] row : table) {
            double actual = function.applyAsDouble(row[0]);
            assertEquals(row[1], actual, Math.abs(row[1]) * RELATIVE, () -> "at " + row[0]);
        }
    }
}
