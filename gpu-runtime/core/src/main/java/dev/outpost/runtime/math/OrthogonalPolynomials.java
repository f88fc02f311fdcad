package dev.outpost.runtime.math;

/**
 * Orthogonal polynomials by their three-term recurrences (DLMF 18.9). Chebyshev polynomials of higher degrees between -1 and 1 use the
 * cosine (DLMF 18.5), whose time does not grow with the degree. <p>A degree is cut to a whole number. Below 0 the polynomial is 0, and for
 * NaN it is NaN. A recurrence ends when it overflows, and after {@link #MAX} steps. For higher degrees the polynomial is then NaN.
 */
final class OrthogonalPolynomials {
    /** The degree from which the cosine is faster and as exact. */
    private static final int BY_COSINE = 9;

    /** The maximum number of steps of a recurrence. No element takes longer than a few hundred microseconds. */
    private static final int MAX = 1 << 16;

    private OrthogonalPolynomials() {}

    /** Computes the polynomial of degree {@code k + 1} from those of degrees {@code k} and {@code k - 1}. */
    @FunctionalInterface
    private interface Recurrence {
        double next(double k, double x, double last, double before);
    }

    static double chebyshevT(double x, double degree) {
        double n = whole(degree);
        if (n >= BY_COSINE && Math.abs(x) <= 1) {
            return Math.cos(n * Math.acos(x));
        }
        return chebyshev(x, n, x);
    }

    static double chebyshevU(double x, double degree) {
        double n = whole(degree);
        double sine = Math.sqrt((1 - x) * (1 + x));
        if (n >= BY_COSINE && Math.abs(x) <= 1) {
            return sine == 0 ? end(x, n, n + 1, n + 1) : Math.sin((n + 1) * Math.acos(x)) / sine;
        }
        return chebyshev(x, n, 2 * x);
    }

    static double chebyshevV(double x, double degree) {
        double n = whole(degree);
        if (n >= BY_COSINE && Math.abs(x) <= 1) {
            double angle = Math.acos(x);
            return x == -1 ? end(x, n, 1, 2 * n + 1) : Math.cos((n + 0.5) * angle) / Math.cos(angle / 2);
        }
        return chebyshev(x, n, 2 * x - 1);
    }

    static double chebyshevW(double x, double degree) {
        double n = whole(degree);
        if (n >= BY_COSINE && Math.abs(x) <= 1) {
            double angle = Math.acos(x);
            return x == 1 ? 2 * n + 1 : Math.sin((n + 0.5) * angle) / Math.sin(angle / 2);
        }
        return chebyshev(x, n, 2 * x + 1);
    }

    static double hermiteH(double x, double degree) {
        return evaluate(x, whole(degree), 2 * x, (k, at, last, before) -> 2 * at * last - 2 * k * before);
    }

    static double hermiteHe(double x, double degree) {
        return evaluate(x, whole(degree), x, (k, at, last, before) -> at * last - k * before);
    }

    static double laguerre(double x, double degree) {
        return evaluate(
                x, whole(degree), 1 - x, (k, at, last, before) -> ((2 * k + 1 - at) * last - k * before) / (k + 1));
    }

    static double legendre(double x, double degree) {
        return evaluate(x, whole(degree), x, (k, at, last, before) -> ((2 * k + 1) * at * last - k * before) / (k + 1));
    }

    /** Rounds toward zero, so that a degree above -1 becomes 0. */
    private static double whole(double degree) {
        return degree < 0 ? Math.ceil(degree) : Math.floor(degree);
    }

    /** Returns the value at 1, or the value at -1 with the sign of the degree's parity. */
    private static double end(double x, double degree, double atOne, double atMinusOne) {
        if (x > 0) {
            return atOne;
        }
        return degree % 2 == 0 ? atMinusOne : -atMinusOne;
    }

    private static double chebyshev(double x, double degree, double linear) {
        return evaluate(x, degree, linear, (k, at, last, before) -> 2 * at * last - before);
    }

    private static double evaluate(double x, double degree, double linear, Recurrence recurrence) {
        if (!(degree >= 1)) {
            return degree < 0 ? 0 : degree == 0 ? 1 : Double.NaN;
        }
        double before = 1;
        double last = linear;
        for (double k = 1; k < degree && Double.isFinite(last); k++) {
            if (k > MAX) {
                return Double.NaN;
            }
            double next = recurrence.next(k, x, last, before);
            before = last;
            last = next;
        }
        return last;
    }
}
