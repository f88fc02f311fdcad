package dev.outpost.runtime.engine.factorization;

import java.util.Arrays;
import java.util.Comparator;

/** Sorts complex eigenvalues and normalizes the length and phase of their vectors, so that all engines have the same. */
final class ComplexVectors {
    /**
     * The share of the largest absolute value from which an element counts as large. The ratios of small integers rarely equal this number,
     * so rounding errors do not change the choice.
     */
    private static final double NEARLY = 0.7;

    private ComplexVectors() {}

    /** Sorts by ascending real parts, and equal real parts by ascending imaginary parts. */
    static int[] order(double[] real, double[] imaginary) {
        Integer[] order = new Integer[real.length];
        Arrays.setAll(order, place -> place);
        Arrays.sort(
                order,
                Comparator.<Integer>comparingDouble(place -> real[place])
                        .thenComparingDouble(place -> imaginary[place]));
        return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
    }

    /**
     * Stores vectors of length 1 whose first large element is real and positive.
     *
     * @param packed vectors in the format of {@link Routines#eigenvalues(MatrixView, double[], double[], MatrixView)}
     */
    static void store(MatrixView packed, double[] imaginary, int[] order, MatrixView real, MatrixView imag) {
        for (int place = 0; place < order.length; place++) {
            int from = order[place];
            int first = imaginary[from] < 0 ? from - 1 : from;
            double sign = Double.compare(imaginary[from], 0) == 0 ? 0 : Math.signum(imaginary[from]);
            double[][] vector = new double[2][order.length];
            for (int row = 0; row < order.length; row++) {
                vector[0][row] = packed.get(row, first);
                vector[1][row] = sign == 0 ? 0 : sign * packed.get(row, first + 1);
            }
            turn(vector);
            for (int row = 0; row < order.length; row++) {
                real.set(row, place, vector[0][row]);
                imag.set(row, place, vector[1][row]);
            }
        }
    }

    private static void turn(double[][] vector) {
        double length = 0;
        double largest = 0;
        for (int row = 0; row < vector[0].length; row++) {
            double size = Math.hypot(vector[0][row], vector[1][row]);
            length = Math.hypot(length, size);
            largest = Math.max(largest, size);
        }
        int chosen = 0;
        while (Math.hypot(vector[0][chosen], vector[1][chosen]) < NEARLY * largest) {
            chosen++;
        }
        double size = Math.hypot(vector[0][chosen], vector[1][chosen]);
        double cosine = vector[0][chosen] / size / length;
        double sine = -vector[1][chosen] / size / length;
        for (int row = 0; row < vector[0].length; row++) {
            double real = vector[0][row];
            vector[0][row] = cosine * real - sine * vector[1][row];
            vector[1][row] = row == chosen ? 0 : sine * real + cosine * vector[1][row];
        }
    }
}
