package dev.outpost.runtime.math;

/**
 * Modified Bessel functions of orders 0 and 1, by the formulas of DLMF 10.31 and 10.40. Each interval has a Chebyshev series, which was
 * fitted to 30 digits with mpmath.
 */
final class ModifiedBessel {
    private static final double[] I0_SMALL = {
        0.33839763720473803,
        -0.3046826723431984,
        0.17162090152220877,
        -0.09490109704804764,
        0.04930528423967071,
        -0.02373741480589947,
        0.010546460394594998,
        -0.004324309995050576,
        0.0016394756169413357,
        -0.0005763755745385824,
        0.00018850288509584165,
        -5.754195010082104e-05,
        1.6448448070728896e-05,
        -4.4167383584587505e-06,
        1.1173875391201037e-06,
        -2.670793853940612e-07,
        6.046995022541919e-08,
        -1.300025009986248e-08,
        2.6598237246823866e-09,
        -5.189795601635263e-10,
        9.675809035373237e-11,
        -1.726826291441556e-11,
        2.95505266312964e-12,
        -4.856446783111929e-13,
        7.676185498604936e-14,
        -1.1685332877993451e-14,
        1.7153912855551329e-15,
        -2.4312798465479524e-16,
        3.33079451882224e-17,
        -4.415341646478689e-18,
        5.669178006921499e-19
    };

    private static final double[] I1_SMALL = {
        0.12629359322181682,
        -0.17641651835783406,
        0.1026436586898471,
        -0.05294598120809499,
        0.024726449030626516,
        -0.010564084894626197,
        0.004156422944312888,
        -0.0015135724506312532,
        0.0005122859561685758,
        -0.00016176081582589674,
        4.781565107550054e-05,
        -1.3273163656039436e-05,
        3.4702513081376785e-06,
        -8.568720264695455e-07,
        2.0032947535521353e-07,
        -4.445059128796328e-08,
        9.381537386495773e-09,
        -1.8872497517228294e-09,
        3.625590281552117e-10,
        -6.663489723502027e-11,
        1.1736186298890901e-11,
        -1.9839743977649436e-12,
        3.223793365945575e-13,
        -5.042185504727912e-14,
        7.600684294735406e-15,
        -1.1055969477353864e-15,
        1.5536319577361996e-16,
        -2.1114212143581567e-17,
        2.777914112761032e-18,
        -3.541581772538866e-19
    };

    private static final double[] I0_LARGE = {
        0.4022452055070544,
        0.0033691164782556943,
        6.889758346916825e-05,
        2.8913705208347567e-06,
        2.0489185894690638e-07,
        2.266668990498178e-08,
        3.3962320257083865e-09,
        4.94060238822497e-10,
        1.1889147107846439e-11,
        -3.1499165279632416e-11,
        -1.3215811840447713e-11,
        -1.7941785315068062e-12,
        7.180124451383666e-13,
        3.8527783827421426e-13,
        1.54008621752141e-14,
        -4.150569347287222e-14,
        -9.554846698828307e-15,
        3.8116806693526224e-15,
        1.7725601330565263e-15,
        -3.4254856196772185e-16,
        -2.827623980516581e-16,
        3.4612228676974963e-17,
        4.4656214202967554e-17,
        -4.8305044859441896e-18,
        -7.2331804878737e-18,
        9.921475412158938e-19,
        1.1936508908440128e-18
    };

    private static final double[] I1_LARGE = {
        0.38928811750914005,
        -0.009761097491361469,
        -0.00011058893876262371,
        -3.882564808877691e-06,
        -2.512236237870209e-07,
        -2.6314688468895196e-08,
        -3.835380385964237e-09,
        -5.589743462196584e-10,
        -1.8974958123505413e-11,
        3.2526035830154884e-11,
        1.4125807436613782e-11,
        2.0356285441470896e-12,
        -7.198551776245908e-13,
        -4.0835511110921974e-13,
        -2.1015418427726643e-14,
        4.2724400167119517e-14,
        1.0420276984128802e-14,
        -3.8144030724370075e-15,
        -1.8803547755107825e-15,
        3.3082023109209295e-16,
        2.9626289976459525e-16,
        -3.2095259219934207e-17,
        -4.65030536848932e-17,
        4.414348323072056e-18,
        7.517296310840933e-18,
        -9.31417886731625e-19,
        -1.2421932751931669e-18
    };

    private static final double[] K0_SMALL = {
        -0.2676636966169514,
        0.3442898999246285,
        0.0359799365153615,
        0.001264615411446926,
        2.286212103119452e-05,
        2.5347910790261494e-07,
        1.904516377220209e-09,
        1.0349695257633625e-11,
        4.2598161427910826e-14,
        1.374465435880751e-16,
        3.5708965285088614e-19
    };

    private static final double[] K1_SMALL = {
        0.7626501136694739,
        -0.3531559607765449,
        -0.12261118082265715,
        -0.006975723859639864,
        -0.0001730288957513052,
        -2.4334061415659684e-06,
        -2.213387630734726e-08,
        -1.4114883926335278e-10,
        -6.666901694199329e-13,
        -2.427449850519366e-15,
        -7.023863479386367e-18
    };

    private static final double[] K0_LARGE = {
        1.2201515410329777,
        -0.0314481013119645,
        0.0015698838857300533,
        -0.00012849549581627802,
        1.39498137188765e-05,
        -1.8317555227191195e-06,
        2.766813639445015e-07,
        -4.660489897687948e-08,
        8.574034017414225e-09,
        -1.6975345093890614e-09,
        3.5773972814003283e-10,
        -7.957489244477396e-11,
        1.8559491149549264e-11,
        -4.514597883374519e-12,
        1.1403405882073441e-12,
        -2.9800969231481784e-13,
        8.032890775068375e-14,
        -2.2275133267462965e-14,
        6.340076476276646e-15,
        -1.848593377920907e-15,
        5.51205599940434e-16,
        -1.6782311257548944e-16,
        5.2103917776436086e-17,
        -1.6475805939842068e-17,
        5.300433771177214e-18,
        -1.7331712005829038e-18
    };

    private static final double[] K1_LARGE = {
        1.3603130952422213,
        0.10392373657681724,
        -0.002857816859622779,
        0.00019521551847135162,
        -1.936197974166083e-05,
        2.406484947837217e-06,
        -3.5019606030878126e-07,
        5.7410841254500495e-08,
        -1.0345762465678097e-08,
        2.0150497551970347e-09,
        -4.1903547593419254e-10,
        9.218315187605315e-11,
        -2.129967838427791e-11,
        5.139639673482343e-12,
        -1.2891739609498229e-12,
        3.348419666052243e-13,
        -8.976705182010146e-14,
        2.4771544242195988e-14,
        -7.019837089214769e-15,
        2.0387031662398614e-15,
        -6.057047270643011e-16,
        1.8380935752430514e-16,
        -5.689462849193602e-17,
        1.7940510478864163e-17,
        -5.756744482073462e-18,
        1.8778651901614975e-18
    };

    private ModifiedBessel() {}

    /** The function of the first kind, order 0. */
    static double i0(double x) {
        double half = Math.exp(Math.abs(x) / 2);
        return half * i0e(x) * half;
    }

    /** The function of the first kind, order 0, times exp(-|x|). */
    static double i0e(double x) {
        double size = Math.abs(x);
        return size <= 8
                ? Chebyshev.at(size / 4 - 1, I0_SMALL)
                : Chebyshev.at(16 / size - 1, I0_LARGE) / Math.sqrt(size);
    }

    /** The function of the first kind, order 1. */
    static double i1(double x) {
        double half = Math.exp(Math.abs(x) / 2);
        return half * i1e(x) * half;
    }

    /** The function of the first kind, order 1, times exp(-|x|). */
    static double i1e(double x) {
        double size = Math.abs(x);
        if (size <= 8) {
            return x * Chebyshev.at(size / 4 - 1, I1_SMALL);
        }
        double value = Chebyshev.at(16 / size - 1, I1_LARGE) / Math.sqrt(size);
        return x < 0 ? -value : value;
    }

    /** The function of the second kind, order 0: infinite at 0, NaN below. */
    static double k0(double x) {
        if (!(x > 0)) {
            return x == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        }
        return x <= 2 ? near0(x) : Math.exp(-x) * far0(x);
    }

    /** The function of the second kind, order 0, times exp(x). */
    static double k0e(double x) {
        if (!(x > 0)) {
            return x == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        }
        return x <= 2 ? Math.exp(x) * near0(x) : far0(x);
    }

    /** The function of the second kind, order 1: infinite at 0, NaN below. */
    static double k1(double x) {
        if (!(x > 0)) {
            return x == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        }
        return x <= 2 ? near1(x) : Math.exp(-x) * far1(x);
    }

    /** The function of the second kind, order 1, times exp(x). */
    static double k1e(double x) {
        if (!(x > 0)) {
            return x == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
        }
        return x <= 2 ? Math.exp(x) * near1(x) : far1(x);
    }

    /** The function of the second kind, order 0, up to 2. */
    private static double near0(double x) {
        return Chebyshev.at(x * x / 2 - 1, K0_SMALL) - Math.log(x / 2) * i0(x);
    }

    /** The function of the second kind, order 0, times exp(x), from 2 on. */
    private static double far0(double x) {
        return x == Double.POSITIVE_INFINITY ? 0 : Chebyshev.at(4 / x - 1, K0_LARGE) / Math.sqrt(x);
    }

    /** The function of the second kind, order 1, up to 2. */
    private static double near1(double x) {
        return Chebyshev.at(x * x / 2 - 1, K1_SMALL) / x + Math.log(x / 2) * i1(x);
    }

    /** The function of the second kind, order 1, times exp(x), from 2 on. */
    private static double far1(double x) {
        return x == Double.POSITIVE_INFINITY ? 0 : Chebyshev.at(4 / x - 1, K1_LARGE) / Math.sqrt(x);
    }
}
