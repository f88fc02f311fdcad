package dev.outpost.runtime.math;

/** The quantile function of a standard normal. Each interval has a Chebyshev series, which was fitted to 30 digits with mpmath. */
final class NormalQuantile {
    private static final double[] QUANTILE = {
        2.60398122453989,
        0.48492462275025605,
        -0.05851069191448294,
        0.009448996178951792,
        -0.0017212131131812854,
        0.0003344695251714312,
        -6.758284799974218e-05,
        1.4009592550677212e-05,
        -2.9572921871395637e-06,
        6.330857865895493e-07,
        -1.371458778927766e-07,
        3.003144839365803e-08,
        -6.643652468158959e-09,
        1.484355329256599e-09,
        -3.348470134974393e-10,
        7.6239440199861e-11,
        -1.751216159386313e-11,
        4.055901671290655e-12,
        -9.46576886757076e-13,
        2.2246793377667708e-13,
        -5.261969287713709e-14,
        1.2518150717329912e-14,
        -2.993689529748228e-15,
        7.193443677327118e-16,
        -1.7359785576573031e-16,
        4.2059739849666485e-17,
        -1.0227313315395737e-17
    };

    private static final double[] QUANTILE_FAR = {
        3.9582744065008693,
        0.7382573485910053,
        -0.13553876356862005,
        0.03311642815745157,
        -0.009098971354518537,
        0.0026674112193039662,
        -0.0008150467231085513,
        0.00025635120865152606,
        -8.237177235434158e-05,
        2.6907628999398684e-05,
        -8.905191550639086e-06,
        2.9785360251330143e-06,
        -1.0049396680218062e-06,
        3.415249587926355e-07,
        -1.1677455257157601e-07,
        4.0133926815444055e-08,
        -1.385417442117847e-08,
        4.800434694898479e-09,
        -1.6687170517105864e-09,
        5.816955656178048e-10,
        -2.0326344637792423e-10,
        7.117683920801034e-11,
        -2.4970153216127246e-11,
        8.774302336200157e-12,
        -3.087696032555074e-12,
        1.0879836841252128e-12,
        -3.83816138485343e-13,
        1.355483822439732e-13,
        -4.791833140466869e-14,
        1.6955818358404645e-14,
        -6.005171674867238e-15,
        2.128663512884429e-15,
        -7.551850681223878e-16,
        2.68137905120179e-16,
        -9.528360718141469e-17,
        3.388694996696888e-17,
        -1.2061521155244292e-17,
        4.296642240842115e-18
    };

    private NormalQuantile() {}

    /** Returns the number below which the share p of a standard normal lies; infinite at 0 and 1, NaN outside. */
    static double ndtri(double p) {
        if (!(p > 0 && p < 1)) {
            return p == 0 ? -Double.POSITIVE_INFINITY : p == 1 ? Double.POSITIVE_INFINITY : Double.NaN;
        }
        if (p > 0.0261 && p < 0.9739) {
            return Math.sqrt(2.0) * InverseErrorFunction.erfinv(2 * p - 1);
        }
        return p < 0.5 ? -beyond(p) : beyond(1 - p);
    }

    /** Returns the absolute value beyond which a small share of a standard normal lies. */
    private static double beyond(double share) {
        double r = Math.sqrt(-2 * Math.log(share));
        double below =
                r <= 8 ? Chebyshev.at((2 * r - 10.7) / 5.3, QUANTILE) : Chebyshev.at((2 * r - 47) / 31, QUANTILE_FAR);
        return r - below / r;
    }
}
