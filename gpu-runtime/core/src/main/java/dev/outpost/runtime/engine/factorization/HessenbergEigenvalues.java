package dev.outpost.runtime.engine.factorization;

import java.util.Arrays;

/**
 * Computes eigenvalues and eigenvectors of any square real matrix. Reflections reduce the matrix to Hessenberg form,
 * and shifted QR steps reduce that to Schur form. The eigenvectors are solved from the triangle of the Schur form.
 * Follows EISPACK's orthes and hqr2 (Wilkinson and Reinsch, "Handbook for Automatic Computation", 1971).
 */
final class HessenbergEigenvalues {
    private static final double EPSILON = 0x1p-52;
    private static final int MAX_STEPS = 300;

    private final int n;
    private final double[][] h;
    private final double[][] v;
    private final double[] real;
    private final double[] imaginary;

    private HessenbergEigenvalues(double[][] matrix, double[] real, double[] imaginary) {
        n = matrix.length;
        h = matrix;
        v = new double[n][n];
        for (int row = 0; row < n; row++) {
            v[row][row] = 1;
        }
        this.real = real;
        this.imaginary = imaginary;
    }

    static boolean run(MatrixView a, double[] real, double[] imaginary, MatrixView vectors) {
        HessenbergEigenvalues run = new HessenbergEigenvalues(a.toRows(), real, imaginary);
        double scale = Arrays.stream(run.h)
                .flatMapToDouble(Arrays::stream)
                .map(Math::abs)
                .max()
                .orElse(0);
        if (scale == 0) {
            // Every vector is an eigenvector of the zero matrix. The axes are stored.
            return run.storeAxes(vectors);
        }
        Arrays.stream(run.h).forEach(row -> Arrays.setAll(row, column -> row[column] / scale));
        run.toHessenberg();
        boolean isConverged = run.toSchur();
        if (isConverged && vectors != null) {
            run.solveTriangle();
            run.toOriginal();
            vectors.set(run.v);
        }
        Arrays.setAll(real, place -> real[place] * scale);
        Arrays.setAll(imaginary, place -> imaginary[place] * scale);
        return isConverged;
    }

    private boolean storeAxes(MatrixView vectors) {
        if (vectors != null) {
            vectors.set(v);
        }
        return true;
    }

    // ---- Hessenberg form

    private void toHessenberg() {
        double[] reflection = new double[n];
        for (int column = 0; column + 2 < n; column++) {
            double norm = 0;
            for (int row = column + 1; row < n; row++) {
                reflection[row] = h[row][column];
                norm = Math.hypot(norm, reflection[row]);
            }
            if (norm == 0) {
                continue;
            }
            double first = Math.copySign(norm, -reflection[column + 1]);
            reflection[column + 1] -= first;
            double half = 0;
            for (int row = column + 1; row < n; row++) {
                half += reflection[row] * reflection[row];
            }
            half /= 2;
            if (half > 0) {
                reflect(reflection, column + 1, half);
            }
            h[column + 1][column] = first;
            for (int row = column + 2; row < n; row++) {
                h[row][column] = 0;
            }
        }
    }

    /** Applies a reflection from both sides, and updates the eigenvectors. */
    private void reflect(double[] u, int from, double half) {
        for (int column = 0; column < n; column++) {
            double sum = 0;
            for (int row = from; row < n; row++) {
                sum += u[row] * h[row][column];
            }
            for (int row = from; row < n; row++) {
                h[row][column] -= sum / half * u[row];
            }
        }
        for (double[][] matrix : new double[][][] {h, v}) {
            for (double[] row : matrix) {
                double sum = 0;
                for (int column = from; column < n; column++) {
                    sum += row[column] * u[column];
                }
                for (int column = from; column < n; column++) {
                    row[column] -= sum / half * u[column];
                }
            }
        }
    }

    // ---- Schur form

    private double norm() {
        double norm = 0;
        for (int row = 0; row < n; row++) {
            for (int column = Math.max(row - 1, 0); column < n; column++) {
                norm += Math.abs(h[row][column]);
            }
        }
        return norm;
    }

    private boolean toSchur() {
        double norm = norm();
        double shifted = 0;
        int steps = 0;
        int last = n - 1;
        while (last >= 0) {
            int first = firstOfBlock(last, norm);
            if (first == last) {
                h[last][last] += shifted;
                real[last] = h[last][last];
                imaginary[last] = 0;
                last--;
                steps = 0;
            } else if (first == last - 1) {
                pair(last, shifted);
                last -= 2;
                steps = 0;
            } else if (steps == MAX_STEPS) {
                return false;
            } else {
                shifted = step(first, last, shifted, steps);
                steps++;
            }
        }
        return true;
    }

    private int firstOfBlock(int last, double norm) {
        int first = last;
        while (first > 0) {
            double around = Math.abs(h[first - 1][first - 1]) + Math.abs(h[first][first]);
            if (Math.abs(h[first][first - 1]) < EPSILON * (around == 0 ? norm : around)) {
                return first;
            }
            first--;
        }
        return first;
    }

    /** Computes the two eigenvalues of a remaining block of two. A block with real eigenvalues is made triangular. */
    private void pair(int last, double shifted) {
        double w = h[last][last - 1] * h[last - 1][last];
        double p = (h[last - 1][last - 1] - h[last][last]) / 2;
        double q = p * p + w;
        double root = Math.sqrt(Math.abs(q));
        h[last][last] += shifted;
        h[last - 1][last - 1] += shifted;
        double x = h[last][last];
        if (q < 0) {
            real[last - 1] = x + p;
            real[last] = x + p;
            imaginary[last - 1] = root;
            imaginary[last] = -root;
            return;
        }
        double z = p >= 0 ? p + root : p - root;
        real[last - 1] = x + z;
        real[last] = z == 0 ? real[last - 1] : x - w / z;
        imaginary[last - 1] = 0;
        imaginary[last] = 0;
        double below = h[last][last - 1];
        double length = Math.hypot(below, z);
        rotate(last, below / length, z / length);
    }

    private void rotate(int last, double sine, double cosine) {
        for (int column = last - 1; column < n; column++) {
            double upper = h[last - 1][column];
            h[last - 1][column] = cosine * upper + sine * h[last][column];
            h[last][column] = cosine * h[last][column] - sine * upper;
        }
        for (int row = 0; row <= last; row++) {
            rotate(h[row], last, sine, cosine);
        }
        for (double[] row : v) {
            rotate(row, last, sine, cosine);
        }
    }

    private static void rotate(double[] row, int last, double sine, double cosine) {
        double left = row[last - 1];
        row[last - 1] = cosine * left + sine * row[last];
        row[last] = cosine * row[last] - sine * left;
    }

    /** Makes a QR step with two shifts. Returns the shift that has been subtracted from the diagonal so far. */
    private double step(int first, int last, double shifted, int steps) {
        double x = h[last][last];
        double y = h[last - 1][last - 1];
        double w = h[last][last - 1] * h[last - 1][last];
        double shift = shifted;
        if (steps > 0 && steps % 10 == 0) {
            // Wilkinson's exceptional shift, which prevents cycles.
            shift += x;
            for (int row = 0; row <= last; row++) {
                h[row][row] -= x;
            }
            double around = Math.abs(h[last][last - 1]) + Math.abs(h[last - 1][last - 2]);
            x = 0.75 * around;
            y = x;
            w = -0.4375 * around * around;
        }
        double p = 0;
        double q = 0;
        double r = 0;
        int start = last - 2;
        for (; start >= first; start--) {
            double z = h[start][start];
            p = ((x - z) * (y - z) - w) / h[start + 1][start] + h[start][start + 1];
            q = h[start + 1][start + 1] - z - (x - z) - (y - z);
            r = h[start + 2][start + 1];
            double size = Math.abs(p) + Math.abs(q) + Math.abs(r);
            p /= size;
            q /= size;
            r /= size;
            if (start == first
                    || Math.abs(h[start][start - 1]) * (Math.abs(q) + Math.abs(r))
                            < EPSILON
                                    * Math.abs(p)
                                    * (Math.abs(h[start - 1][start - 1])
                                            + Math.abs(z)
                                            + Math.abs(h[start + 1][start + 1]))) {
                break;
            }
        }
        for (int row = start + 2; row <= last; row++) {
            h[row][row - 2] = 0;
            if (row > start + 2) {
                h[row][row - 3] = 0;
            }
        }
        sweep(first, start, last, p, q, r);
        return shift;
    }

    private void sweep(int first, int start, int last, double p, double q, double r) {
        for (int k = start; k < last; k++) {
            boolean hasThree = k != last - 1;
            double size = 1;
            if (k != start) {
                p = h[k][k - 1];
                q = h[k + 1][k - 1];
                r = hasThree ? h[k + 2][k - 1] : 0;
                size = Math.abs(p) + Math.abs(q) + Math.abs(r);
                if (size == 0) {
                    continue;
                }
                p /= size;
                q /= size;
                r /= size;
            }
            double s = Math.copySign(Math.sqrt(p * p + q * q + r * r), p);
            if (s == 0) {
                continue;
            }
            if (k != start) {
                h[k][k - 1] = -s * size;
            } else if (first != start) {
                h[k][k - 1] = -h[k][k - 1];
            }
            p += s;
            reflect(k, last, hasThree, new double[] {p / s, q / s, r / s, q / p, r / p});
        }
    }

    /** @param of the factor for the whole of each row, then the parts of the second and third row that go to the first */
    private void reflect(int k, int last, boolean hasThree, double[] of) {
        for (int column = k; column < n; column++) {
            double sum = h[k][column] + of[3] * h[k + 1][column] + (hasThree ? of[4] * h[k + 2][column] : 0);
            h[k][column] -= sum * of[0];
            h[k + 1][column] -= sum * of[1];
            if (hasThree) {
                h[k + 2][column] -= sum * of[2];
            }
        }
        for (int row = 0; row <= Math.min(last, k + 3); row++) {
            reflect(h[row], k, hasThree, of);
        }
        for (double[] row : v) {
            reflect(row, k, hasThree, of);
        }
    }

    private static void reflect(double[] row, int k, boolean hasThree, double[] of) {
        double sum = of[0] * row[k] + of[1] * row[k + 1] + (hasThree ? of[2] * row[k + 2] : 0);
        row[k] -= sum;
        row[k + 1] -= sum * of[3];
        if (hasThree) {
            row[k + 2] -= sum * of[4];
        }
    }

    // ---- vectors

    /** Solves the Schur form from the last row up, for each eigenvalue. Two conjugate ones use two columns. */
    private void solveTriangle() {
        double norm = norm();
        for (int column = n - 1; column >= 0; column--) {
            if (imaginary[column] == 0) {
                solveReal(column, norm);
            } else if (imaginary[column] < 0) {
                solveComplex(column, norm);
            }
        }
    }

    private void solveReal(int column, double norm) {
        double value = real[column];
        h[column][column] = 1;
        int first = column;
        double below = 0;
        double rest = 0;
        for (int row = column - 1; row >= 0; row--) {
            double w = h[row][row] - value;
            double sum = 0;
            for (int inner = first; inner <= column; inner++) {
                sum += h[row][inner] * h[inner][column];
            }
            if (imaginary[row] < 0) {
                below = w;
                rest = sum;
                continue;
            }
            first = row;
            if (imaginary[row] == 0) {
                h[row][column] = -sum / (w == 0 ? EPSILON * norm : w);
            } else {
                double x = h[row][row + 1];
                double y = h[row + 1][row];
                double q = (real[row] - value) * (real[row] - value) + imaginary[row] * imaginary[row];
                double t = (x * rest - below * sum) / q;
                h[row][column] = t;
                h[row + 1][column] = Math.abs(x) > Math.abs(below) ? (-sum - w * t) / x : (-rest - y * t) / below;
            }
            double large = Math.abs(h[row][column]);
            if (EPSILON * large * large > 1) {
                for (int inner = row; inner <= column; inner++) {
                    h[inner][column] /= large;
                }
            }
        }
    }

    private void solveComplex(int column, double norm) {
        double p = real[column];
        double q = imaginary[column];
        if (Math.abs(h[column][column - 1]) > Math.abs(h[column - 1][column])) {
            h[column - 1][column - 1] = q / h[column][column - 1];
            h[column - 1][column] = -(h[column][column] - p) / h[column][column - 1];
        } else {
            double[] quotient = quotient(0, -h[column - 1][column], h[column - 1][column - 1] - p, q);
            h[column - 1][column - 1] = quotient[0];
            h[column - 1][column] = quotient[1];
        }
        h[column][column - 1] = 0;
        h[column][column] = 1;
        int first = column - 1;
        double below = 0;
        double restReal = 0;
        double restImaginary = 0;
        for (int row = column - 2; row >= 0; row--) {
            double sumReal = 0;
            double sumImaginary = 0;
            for (int inner = first; inner <= column; inner++) {
                sumReal += h[row][inner] * h[inner][column - 1];
                sumImaginary += h[row][inner] * h[inner][column];
            }
            double w = h[row][row] - p;
            if (imaginary[row] < 0) {
                below = w;
                restReal = sumReal;
                restImaginary = sumImaginary;
                continue;
            }
            first = row;
            if (imaginary[row] == 0) {
                double[] solved = quotient(-sumReal, -sumImaginary, w, q);
                h[row][column - 1] = solved[0];
                h[row][column] = solved[1];
            } else {
                solvePair(row, column, norm, new double[] {w, below, sumReal, sumImaginary, restReal, restImaginary});
            }
            double large = Math.max(Math.abs(h[row][column - 1]), Math.abs(h[row][column]));
            if (EPSILON * large * large > 1) {
                for (int inner = row; inner <= column; inner++) {
                    h[inner][column - 1] /= large;
                    h[inner][column] /= large;
                }
            }
        }
    }

    /** @param at the distances of the row and the next one from the eigenvalue, and the parts of their sums */
    private void solvePair(int row, int column, double norm, double[] at) {
        double p = real[column];
        double q = imaginary[column];
        double x = h[row][row + 1];
        double y = h[row + 1][row];
        double dividedReal = (real[row] - p) * (real[row] - p) + imaginary[row] * imaginary[row] - q * q;
        double dividedImaginary = (real[row] - p) * 2 * q;
        if (dividedReal == 0 && dividedImaginary == 0) {
            dividedReal =
                    EPSILON * norm * (Math.abs(at[0]) + Math.abs(q) + Math.abs(x) + Math.abs(y) + Math.abs(at[1]));
        }
        double[] upper = quotient(
                x * at[4] - at[1] * at[2] + q * at[3],
                x * at[5] - at[1] * at[3] - q * at[2],
                dividedReal,
                dividedImaginary);
        h[row][column - 1] = upper[0];
        h[row][column] = upper[1];
        if (Math.abs(x) > Math.abs(at[1]) + Math.abs(q)) {
            h[row + 1][column - 1] = (-at[2] - at[0] * upper[0] + q * upper[1]) / x;
            h[row + 1][column] = (-at[3] - at[0] * upper[1] - q * upper[0]) / x;
        } else {
            double[] lower = quotient(-at[4] - y * upper[0], -at[5] - y * upper[1], at[1], q);
            h[row + 1][column - 1] = lower[0];
            h[row + 1][column] = lower[1];
        }
    }

    private static double[] quotient(double real, double imaginary, double byReal, double byImaginary) {
        if (Math.abs(byReal) > Math.abs(byImaginary)) {
            double ratio = byImaginary / byReal;
            double divisor = byReal + ratio * byImaginary;
            return new double[] {(real + ratio * imaginary) / divisor, (imaginary - ratio * real) / divisor};
        }
        double ratio = byReal / byImaginary;
        double divisor = byImaginary + ratio * byReal;
        return new double[] {(ratio * real + imaginary) / divisor, (ratio * imaginary - real) / divisor};
    }

    /** Transforms the vectors back to the coordinates of the original matrix. */
    private void toOriginal() {
        for (int column = n - 1; column >= 0; column--) {
            for (int row = 0; row < n; row++) {
                double sum = 0;
                for (int inner = 0; inner <= column; inner++) {
                    sum += v[row][inner] * h[inner][column];
                }
                v[row][column] = sum;
            }
        }
    }
}
