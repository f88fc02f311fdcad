package dev.outpost.runtime.engine.factorization;

/** Chooses one of the two directions of a vector, so that all engines have the same. */
final class Signs {
    /**
     * The share of the largest absolute value from which an element counts as large. The ratios of small integers rarely equal this number,
     * so rounding errors do not change the choice.
     */
    private static final double NEARLY = 0.7;

    private Signs() {}

    /** Negates each column whose first large element is negative, together with the row of the same number. */
    static void choose(MatrixView columns, MatrixView rows) {
        for (int column = 0; column < columns.columns(); column++) {
            if (isTurned(columns, column)) {
                turn(columns, column);
                if (rows != null && column < rows.rows()) {
                    turn(rows.transposed(), column);
                }
            }
        }
    }

    private static boolean isTurned(MatrixView columns, int column) {
        double largest = 0;
        for (int row = 0; row < columns.rows(); row++) {
            largest = Math.max(largest, Math.abs(columns.get(row, column)));
        }
        for (int row = 0; row < columns.rows(); row++) {
            if (Math.abs(columns.get(row, column)) >= NEARLY * largest) {
                return columns.get(row, column) < 0;
            }
        }
        return false;
    }

    private static void turn(MatrixView columns, int column) {
        for (int row = 0; row < columns.rows(); row++) {
            columns.set(row, column, -columns.get(row, column));
        }
    }
}
