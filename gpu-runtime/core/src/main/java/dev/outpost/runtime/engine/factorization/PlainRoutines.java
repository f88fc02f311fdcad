package dev.outpost.runtime.engine.factorization;

/** Textbook loops in double. */
public final class PlainRoutines implements Routines {
    @Override
    public int cholesky(MatrixView a, MatrixView result) {
        int n = a.rows();
        double[][] l = new double[n][n];
        for (int column = 0; column < n; column++) {
            double pivot = a.get(column, column) - dot(l[column], l[column], column);
            if (!(pivot > 0)) {
                return column + 1;
            }
            l[column][column] = Math.sqrt(pivot);
            for (int row = column + 1; row < n; row++) {
                l[row][column] = (a.get(row, column) - dot(l[row], l[column], column)) / l[column][column];
            }
        }
        result.set(l);
        return 0;
    }

    private static double dot(double[] left, double[] right, int count) {
        double sum = 0;
        for (int index = 0; index < count; index++) {
            sum += left[index] * right[index];
        }
        return sum;
    }

    @Override
    public void lu(MatrixView a, MatrixView result, int[] pivots) {
        double[][] lu = a.toRows();
        for (int step = 0; step < pivots.length; step++) {
            int largest = largest(lu, step);
            pivots[step] = largest + 1;
            double[] row = lu[largest];
            lu[largest] = lu[step];
            lu[step] = row;
            if (row[step] != 0) {
                eliminate(lu, step);
            }
        }
        result.set(lu);
    }

    /** Returns the row, from the diagonal down, with the largest element of a column; the first of several equal elements. */
    private static int largest(double[][] rows, int column) {
        int largest = column;
        for (int row = column + 1; row < rows.length; row++) {
            if (Math.abs(rows[row][column]) > Math.abs(rows[largest][column])) {
                largest = row;
            }
        }
        return largest;
    }

    private static void eliminate(double[][] rows, int step) {
        double[] pivot = rows[step];
        for (int row = step + 1; row < rows.length; row++) {
            double factor = rows[row][step] / pivot[step];
            rows[row][step] = factor;
            for (int column = step + 1; column < pivot.length; column++) {
                rows[row][column] -= factor * pivot[column];
            }
        }
    }

    @Override
    public void solveTriangular(boolean upper, boolean unit, MatrixView a, MatrixView b, MatrixView x) {
        int n = a.rows();
        double[][] solved = b.toRows();
        for (int step = 0; step < n; step++) {
            int row = upper ? n - 1 - step : step;
            for (int before = 0; before < step; before++) {
                int known = upper ? n - 1 - before : before;
                subtract(solved[row], a.get(row, known), solved[known]);
            }
            if (!unit) {
                divide(solved[row], a.get(row, row));
            }
        }
        x.set(solved);
    }

    private static void subtract(double[] row, double factor, double[] other) {
        for (int column = 0; column < row.length; column++) {
            row[column] -= factor * other[column];
        }
    }

    private static void divide(double[] row, double divisor) {
        for (int column = 0; column < row.length; column++) {
            row[column] /= divisor;
        }
    }

    @Override
    public void reflections(MatrixView a, MatrixView packed, double[] factors) {
        double[][] rows = a.toRows();
        Reflections.reduce(rows, factors);
        packed.set(rows);
    }

    @Override
    public void product(MatrixView packed, double[] factors, MatrixView q) {
        q.set(Reflections.product(packed.toRows(), factors, q.columns()));
    }

    @Override
    public boolean eigenvalues(MatrixView a, double[] values, MatrixView vectors) {
        return JacobiEigenvalues.run(a, values, vectors);
    }

    @Override
    public boolean eigenvalues(MatrixView a, double[] real, double[] imaginary, MatrixView vectors) {
        return HessenbergEigenvalues.run(a, real, imaginary, vectors);
    }

    @Override
    public boolean singularValues(MatrixView a, double[] values, MatrixView u, MatrixView vh) {
        return JacobiSingularValues.run(a, values, u, vh);
    }
}
