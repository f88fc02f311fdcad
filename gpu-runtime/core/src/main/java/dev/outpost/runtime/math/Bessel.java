package dev.outpost.runtime.math;

/**
 * Bessel functions of orders 0 and 1, by the formulas of DLMF 10.8.1, 10.8.2 and 10.17. Each interval has a Chebyshev series, which was
 * fitted to 30 digits with mpmath.
 */
final class Bessel {
    private static final double[] J0_SMALL = {
        0.15772797147489012,
        -0.008723442352852221,
        0.2651786132033368,
        -0.37009499387264977,
        0.15806710233209725,
        -0.034893769411408884,
        0.004819180069467605,
        -0.00046062616620627504,
        3.246032882100508e-05,
        -1.7619469077621507e-06,
        7.608163592418782e-08,
        -2.679253530557673e-09,
        7.848696314479465e-11,
        -1.9438346867370164e-12,
        4.125320595634374e-14,
        -7.588508125447549e-16,
        1.2218515873961351e-17
    };

    private static final double[] J1_SMALL = {
        0.08104484632565812,
        -0.1489751450676521,
        0.1609992623572097,
        -0.08268049176681791,
        0.022213639654966037,
        -0.003646940600769276,
        0.0004050337728354822,
        -3.255554866857259e-05,
        1.9858774049915165e-06,
        -9.521984756750436e-08,
        3.687133759097148e-09,
        -1.178026622695885e-10,
        3.160154580348003e-12,
        -7.221755239651773e-14,
        1.4232144003513942e-15,
        -2.4441972916190483e-17,
        3.691268299792634e-19
    };

    private static final double[] Y0_SMALL = {
        -0.03314611320328494,
        -0.2744743055297453,
        0.17903431407718265,
        0.26156734625504663,
        -0.17730201278114358,
        0.04719668959576339,
        -0.007287962479552079,
        0.0007531135932577742,
        -5.632079141056987e-05,
        3.206532537654801e-06,
        -1.44072332740187e-07,
        5.248794787330516e-09,
        -1.5837552541812015e-10,
        4.02633081830612e-12,
        -8.747341203310769e-14,
        1.6434898714919472e-15,
        -2.6977881152566846e-17,
        3.9032584173470782e-19
    };

    private static final double[] Y1_SMALL = {
        0.0025380132357417816,
        -0.01608717304766875,
        -0.09591204536083074,
        0.08445197259652346,
        -0.028328123944594365,
        0.005289897544167113,
        -0.0006414551451326356,
        5.505982873338744e-05,
        -3.53808001868935e-06,
        1.7707804556154404e-07,
        -7.11055004989928e-09,
        2.344337905911516e-10,
        -6.4651518414115946e-12,
        1.51429151205002e-13,
        -3.0511859694473254e-15,
        5.346680385728671e-17,
        -8.224911372020806e-19
    };

    private static final double[] P0 = {
        0.9994603493475187,
        -0.0005365220468132117,
        3.0751847875194745e-06,
        -5.1705945376060975e-08,
        1.6306464635151382e-09,
        -7.86409137723707e-11,
        5.168262387349193e-12,
        -4.3045788699253914e-13,
        4.3265957431549404e-14,
        -5.069034095935236e-15,
        6.748072215733873e-16,
        -1.0011513723467719e-16,
        1.6305919233743998e-17,
        -2.8808661694827348e-18
    };

    private static final double[] Q0 = {
        -0.12444683684269607,
        0.0005470815954089319,
        -5.9315987288485175e-06,
        1.4377965798375193e-07,
        -5.817532749493056e-09,
        3.376097523734991e-10,
        -2.565397936797308e-11,
        2.404916100281365e-12,
        -2.6690625482579404e-13,
        3.404180032196354e-14,
        -4.8799441053118945e-15,
        7.729703176241163e-16,
        -1.3348852171488325e-16,
        2.4865952389251432e-17,
        -4.952892629751025e-18,
        1.0473158972465774e-18,
        -2.3369301709534026e-19
    };

    private static final double[] P1 = {
        1.0009030408600137,
        0.0008989898330859408,
        -3.987284300488908e-06,
        6.177633960644299e-08,
        -1.8718907491063067e-09,
        8.816898659582339e-11,
        -5.704863640395645e-12,
        4.699195515230542e-13,
        -4.6842237839904895e-14,
        5.452674896044717e-15,
        -7.221180842274019e-16,
        1.0667689114335483e-16,
        -1.731231321611651e-17,
        3.0492991197667687e-18
    };

    private static final double[] Q1 = {
        0.3742222965562826,
        -0.0007702178839325664,
        7.3108922063643636e-06,
        -1.676782510726674e-07,
        6.583354662120443e-09,
        -3.749090950541556e-10,
        2.8121750359748866e-11,
        -2.6114525394623204e-12,
        2.8774212663332265e-13,
        -3.6490019160618714e-14,
        5.206626366227041e-15,
        -8.215318025461872e-16,
        1.4141084390244132e-16,
        -2.6267615898703297e-17,
        5.219264919984658e-18,
        -1.101261719096938e-18
    };

    private Bessel() {}

    /** The function of the first kind, order 0. */
    static double j0(double x) {
        double size = Math.abs(x);
        if (size <= 8) {
            return Chebyshev.at(x * x / 32 - 1, J0_SMALL);
        }
        if (size == Double.POSITIVE_INFINITY) {
            return 0;
        }
        double angle = size - Math.PI / 4;
        return Math.sqrt(2 / (Math.PI * size)) * (p0(size) * Math.cos(angle) - q0(size) * Math.sin(angle));
    }

    /** The function of the first kind, order 1; odd. */
    static double j1(double x) {
        double size = Math.abs(x);
        if (size <= 8) {
            return x * Chebyshev.at(x * x / 32 - 1, J1_SMALL);
        }
        if (size == Double.POSITIVE_INFINITY) {
            return 0;
        }
        double angle = size - 0.75 * Math.PI;
        double value = Math.sqrt(2 / (Math.PI * size)) * (p1(size) * Math.cos(angle) - q1(size) * Math.sin(angle));
        return x < 0 ? -value : value;
    }

    /** The function of the second kind, order 0: minus infinity at 0, NaN below. */
    static double y0(double x) {
        if (!(x > 0)) {
            return x == 0 ? -Double.POSITIVE_INFINITY : Double.NaN;
        }
        if (x <= 8) {
            return Chebyshev.at(x * x / 32 - 1, Y0_SMALL) + 2 / Math.PI * Math.log(x) * j0(x);
        }
        if (x == Double.POSITIVE_INFINITY) {
            return 0;
        }
        double angle = x - Math.PI / 4;
        return Math.sqrt(2 / (Math.PI * x)) * (p0(x) * Math.sin(angle) + q0(x) * Math.cos(angle));
    }

    /** The function of the second kind, order 1: minus infinity at 0, NaN below. */
    static double y1(double x) {
        if (!(x > 0)) {
            return x == 0 ? -Double.POSITIVE_INFINITY : Double.NaN;
        }
        if (x <= 8) {
            return x * Chebyshev.at(x * x / 32 - 1, Y1_SMALL) + 2 / Math.PI * (Math.log(x) * j1(x) - 1 / x);
        }
        if (x == Double.POSITIVE_INFINITY) {
            return 0;
        }
        double angle = x - 0.75 * Math.PI;
        return Math.sqrt(2 / (Math.PI * x)) * (p1(x) * Math.sin(angle) + q1(x) * Math.cos(angle));
    }

    /** The part in phase, order 0. */
    private static double p0(double x) {
        double inverse = 8 / x;
        return Chebyshev.at(2 * inverse * inverse - 1, P0);
    }

    /** The part out of phase, order 0. */
    private static double q0(double x) {
        double inverse = 8 / x;
        return Chebyshev.at(2 * inverse * inverse - 1, Q0) / x;
    }

    /** The part in phase, order 1. */
    private static double p1(double x) {
        double inverse = 8 / x;
        return Chebyshev.at(2 * inverse * inverse - 1, P1);
    }

    /** The part out of phase, order 1. */
    private static double q1(double x) {
        double inverse = 8 / x;
        return Chebyshev.at(2 * inverse * inverse - 1, Q1) / x;
    }
}
