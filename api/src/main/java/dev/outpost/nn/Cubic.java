package dev.outpost.nn;

/** The kernel of cubic convolution (Keys 1981). */
final class Cubic {
    /** The slope of PyTorch's interpolation. */
    static final double SHARP = -0.75;

    /** The slope of Pillow's interpolation, and of PyTorch's with antialias. */
    static final double SOFT = -0.5;

    private Cubic() {}

    static double weight(double distance, double slope) {
        double x = Math.abs(distance);
        if (x <= 1) {
            return ((slope + 2) * x - (slope + 3)) * x * x + 1;
        }
        return x < 2 ? ((slope * x - 5 * slope) * x + 8 * slope) * x - 4 * slope : 0;
    }
}
