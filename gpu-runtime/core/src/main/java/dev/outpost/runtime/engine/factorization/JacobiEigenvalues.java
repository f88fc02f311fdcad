package dev.outpost.runtime.engine.factorization;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Computes eigenvalues of symmetric matrices by Jacobi's method. It rotates two rows and columns at a time so that
 * their common element becomes zero, until all elements off the diagonal are zero (Golub and Van Loan, "Matrix
 * Computations", 8.5).
 */
final class JacobiEigenvalues {
    private static final int MAX_SWEEPS = 100;

    private final double[][] matrix;
    /** The eigenvectors by rows, updated by each rotation. */
    private final double[][] vectors;

    private final double negligible;

    private JacobiEigenvalues(double[][] matrix) {
        this.matrix = matrix;
        vectors = new double[matrix.length][matrix.length];
        double squares = 0;
        for (int row = 0; row < matrix.length; row++) {
            vectors[row][row] = 1;
            squares += Arrays.stream(matrix[row]).map(x -> x * x).sum();
        }
        negligible = Math.sqrt(squares) / matrix.length * 0x1p-54;
    }

    /** Stores values in ascending order, and vectors as columns if they are requested. Returns true if the iteration converged. */
    static boolean run(MatrixView a, double[] values, MatrixView vectors) {
        double[][] matrix = symmetric(a);
        double scale = 0;
        for (double[] row : matrix) {
            scale = Math.max(scale, Arrays.stream(row).map(Math::abs).max().orElse(0));
        }
        if (scale > 0) {
            divide(matrix, scale);
        }
        JacobiEigenvalues run = new JacobiEigenvalues(matrix);
        boolean isConverged = run.sweep();
        run.store(scale, values, vectors);
        return isConverged;
    }

    private static double[][] symmetric(MatrixView a) {
        double[][] matrix = a.toRows();
        for (int row = 0; row < matrix.length; row++) {
            for (int column = row + 1; column < matrix.length; column++) {
                matrix[row][column] = matrix[column][row];
            }
        }
        return matrix;
    }

    private static void divide(double[][] matrix, double scale) {
        for (double[] row : matrix) {
            for (int column = 0; column < row.length; column++) {
                row[column] /= scale;
            }
        }
    }

    private boolean sweep() {
        for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
            boolean isDone = true;
            for (int first = 0; first < matrix.length; first++) {
                for (int second = first + 1; second < matrix.length; second++) {
                    if (Math.abs(matrix[first][second]) > negligible) {
                        isDone = false;
                        rotate(first, second);
                    }
                }
            }
            if (isDone) {
                return true;
            }
        }
        return false;
    }

    private void rotate(int first, int second) {
        double ratio = (matrix[second][second] - matrix[first][first]) / (2 * matrix[first][second]);
        double tangent = Math.copySign(1, ratio) / (Math.abs(ratio) + Math.hypot(ratio, 1));
        double cosine = 1 / Math.hypot(tangent, 1);
        double sine = tangent * cosine;
        for (double[] row : matrix) {
            rotate(row, first, second, cosine, sine);
        }
        for (int column = 0; column < matrix.length; column++) {
            double upper = matrix[first][column];
            double lower = matrix[second][column];
            matrix[first][column] = cosine * upper - sine * lower;
            matrix[second][column] = sine * upper + cosine * lower;
        }
        // The rotation makes this zero. With a rounded value the iteration might never end.
        matrix[first][second] = 0;
        matrix[second][first] = 0;
        for (double[] row : vectors) {
            rotate(row, first, second, cosine, sine);
        }
    }

    private static void rotate(double[] row, int first, int second, double cosine, double sine) {
        double left = row[first];
        double right = row[second];
        row[first] = cosine * left - sine * right;
        row[second] = sine * left + cosine * right;
    }

    private void store(double scale, double[] values, MatrixView target) {
        Integer[] order = new Integer[matrix.length];
        Arrays.setAll(order, index -> index);
        Arrays.sort(order, Comparator.comparingDouble(index -> matrix[index][index]));
        for (int place = 0; place < order.length; place++) {
            values[place] = matrix[order[place]][order[place]] * scale;
            for (int row = 0; target != null && row < order.length; row++) {
                target.set(row, place, vectors[row][order[place]]);
            }
        }
    }
}
