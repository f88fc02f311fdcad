package dev.outpost.runtime.engine.factorization;

/**
 * Householder reflections {@code I - f v vᵀ}, each of which leaves zeros below the diagonal of a column. As in LAPACK (larfg), v begins
 * with 1, which is not stored. A column that already has zeros there is not changed. Other columns change their sign.
 */
final class Reflections {
    private Reflections() {}

    /** Stores R on and above the diagonal, the vectors below it, and their factors. */
    static void reduce(double[][] a, double[] factors) {
        for (int step = 0; step < factors.length; step++) {
            factors[step] = reflect(a, step);
            apply(a, step, factors[step], a, step + 1);
        }
    }

    /** Computes the vector of a column from its current elements. */
    private static double reflect(double[][] a, int step) {
        double largest = 0;
        for (int row = step + 1; row < a.length; row++) {
            largest = Math.max(largest, Math.abs(a[row][step]));
        }
        if (largest == 0) {
            return 0;
        }
        double head = a[step][step];
        double scale = Math.max(largest, Math.abs(head));
        double squares = head / scale * (head / scale);
        for (int row = step + 1; row < a.length; row++) {
            squares += a[row][step] / scale * (a[row][step] / scale);
        }
        double pivot = -Math.copySign(scale * Math.sqrt(squares), head);
        for (int row = step + 1; row < a.length; row++) {
            a[row][step] /= head - pivot;
        }
        a[step][step] = pivot;
        return (pivot - head) / pivot;
    }

    /** Reflects columns by the vector below the diagonal of a column of a. */
    private static void apply(double[][] a, int step, double factor, double[][] target, int firstColumn) {
        for (int column = firstColumn; column < target[step].length; column++) {
            double product = target[step][column];
            for (int row = step + 1; row < a.length; row++) {
                product += a[row][step] * target[row][column];
            }
            target[step][column] -= factor * product;
            for (int row = step + 1; row < a.length; row++) {
                target[row][column] -= factor * product * a[row][step];
            }
        }
    }

    /** Returns the first columns of the product of all reflections. */
    static double[][] product(double[][] packed, double[] factors, int columns) {
        double[][] product = new double[packed.length][columns];
        for (int diagonal = 0; diagonal < Math.min(packed.length, columns); diagonal++) {
            product[diagonal][diagonal] = 1;
        }
        for (int step = factors.length - 1; step >= 0; step--) {
            apply(packed, step, factors[step], product, 0);
        }
        return product;
    }
}
