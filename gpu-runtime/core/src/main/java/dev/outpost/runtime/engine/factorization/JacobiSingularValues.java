package dev.outpost.runtime.engine.factorization;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Computes singular values by Hestenes' method. It rotates two columns at a time until all columns are orthogonal. Their lengths are the
 * singular values (Golub and Van Loan, "Matrix Computations", 8.6).
 */
final class JacobiSingularValues {
    private static final int MAX_SWEEPS = 100;
    private static final double UNIT = 0x1p-52;

    /** The columns of the matrix, which has at least as many rows as columns. */
    private final double[][] columns;

    private final double[][] rotations;
    private final double length;

    private JacobiSingularValues(double[][] columns) {
        this.columns = columns;
        rotations = new double[columns.length][columns.length];
        double squares = 0;
        for (int column = 0; column < columns.length; column++) {
            rotations[column][column] = 1;
            squares += dot(columns[column], columns[column]);
        }
        length = Math.sqrt(squares);
    }

    /** Stores values in descending order, and vectors if they are requested. Returns true if the iteration converged. */
    static boolean run(MatrixView a, double[] values, MatrixView u, MatrixView vh) {
        boolean isWide = a.rows() < a.columns();
        // The columns of a matrix are the rows of the transposed one.
        double[][] columns = (isWide ? a : a.transposed()).toRows();
        double scale = Arrays.stream(columns)
                .flatMapToDouble(Arrays::stream)
                .map(Math::abs)
                .max()
                .orElse(0);
        for (double[] column : columns) {
            Arrays.setAll(column, row -> scale == 0 ? 0 : column[row] / scale);
        }
        JacobiSingularValues run = new JacobiSingularValues(columns);
        boolean isConverged = run.sweep();
        Integer[] order = run.order();
        for (int place = 0; place < values.length; place++) {
            values[place] = norm(columns[order[place]]) * scale;
        }
        if (u != null) {
            run.storeLong(order, isWide ? vh.transposed() : u);
            run.storeRotations(order, isWide ? u : vh.transposed());
        }
        return isConverged;
    }

    private boolean sweep() {
        for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
            boolean isDone = true;
            for (int first = 0; first < columns.length; first++) {
                for (int second = first + 1; second < columns.length; second++) {
                    isDone &= !rotate(first, second);
                }
            }
            if (isDone) {
                return true;
            }
        }
        return false;
    }

    /** Rotates two columns. Returns true if they were not orthogonal before. */
    private boolean rotate(int first, int second) {
        double left = dot(columns[first], columns[first]);
        double right = dot(columns[second], columns[second]);
        double shared = dot(columns[first], columns[second]);
        double product = Math.sqrt(left) * Math.sqrt(right);
        if (Math.abs(shared) <= 4 * UNIT * product || isNone(Math.sqrt(Math.min(left, right)))) {
            return false;
        }
        double ratio = (right - left) / (2 * shared);
        double tangent = Math.copySign(1, ratio) / (Math.abs(ratio) + Math.hypot(ratio, 1));
        double cosine = 1 / Math.hypot(tangent, 1);
        rotate(columns[first], columns[second], cosine, tangent * cosine);
        rotate(rotations[first], rotations[second], cosine, tangent * cosine);
        return true;
    }

    private static void rotate(double[] left, double[] right, double cosine, double sine) {
        for (int row = 0; row < left.length; row++) {
            double x = left[row];
            double y = right[row];
            left[row] = cosine * x - sine * y;
            right[row] = sine * x + cosine * y;
        }
    }

    /** Returns true if a column consists only of rounding errors, so that its direction has no meaning. */
    private boolean isNone(double norm) {
        return norm <= 4 * UNIT * length;
    }

    private static double dot(double[] left, double[] right) {
        double sum = 0;
        for (int index = 0; index < left.length; index++) {
            sum += left[index] * right[index];
        }
        return sum;
    }

    private static double norm(double[] column) {
        return Math.sqrt(dot(column, column));
    }

    private Integer[] order() {
        Integer[] order = new Integer[columns.length];
        Arrays.setAll(order, index -> index);
        Arrays.sort(order, Comparator.comparingDouble(index -> -norm(columns[index])));
        return order;
    }

    /**
     * Stores the columns in their order with length 1, and completes them with further orthogonal vectors up to the number of target
     * columns.
     */
    private void storeLong(Integer[] order, MatrixView target) {
        double[][] vectors = new double[target.columns()][];
        for (int place = 0; place < vectors.length; place++) {
            double[] column = place < order.length ? columns[order[place]].clone() : null;
            double norm = column == null ? 0 : norm(column);
            vectors[place] = isNone(norm) ? beside(vectors, place, target.rows()) : column;
            for (int row = 0; row < target.rows(); row++) {
                target.set(row, place, vectors[place][row] /= isNone(norm) ? 1 : norm);
            }
        }
    }

    /**
     * Returns a vector of length 1 that is orthogonal to the known vectors. It is the remainder of the first axis whose remainder is large
     * enough.
     */
    private static double[] beside(double[][] vectors, int known, int size) {
        for (int axis = 0; axis < size; axis++) {
            double[] rest = new double[size];
            rest[axis] = 1;
            removeAll(vectors, known, rest);
            double norm = norm(rest);
            if (norm * norm >= 0.5 / size) {
                removeAll(vectors, known, rest);
                double again = norm(rest);
                Arrays.setAll(rest, row -> rest[row] / again);
                return rest;
            }
        }
        throw new IllegalStateException("no room for another vector");
    }

    private static void removeAll(double[][] vectors, int known, double[] from) {
        for (int vector = 0; vector < known; vector++) {
            double product = dot(vectors[vector], from);
            for (int row = 0; row < from.length; row++) {
                from[row] -= product * vectors[vector][row];
            }
        }
    }

    private void storeRotations(Integer[] order, MatrixView target) {
        for (int place = 0; place < order.length; place++) {
            for (int row = 0; row < order.length; row++) {
                target.set(row, place, rotations[order[place]][row]);
            }
        }
    }
}
