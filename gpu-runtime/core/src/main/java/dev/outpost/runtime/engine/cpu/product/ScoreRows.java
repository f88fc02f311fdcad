package dev.outpost.runtime.engine.cpu.product;

import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.tile.NumberOp;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.DType;
import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;

/** The operations of attention on consecutive rows of scores, which are floats or doubles. */
public sealed interface ScoreRows {
    /** @param elements float[] or double[] */
    static ScoreRows of(Object elements) {
        return elements instanceof float[] floats
                ? new Floats(floats, RowReduction.room())
                : new Doubles((double[]) elements);
    }

    Object elements();

    /** Returns the largest element of each of the first rows. */
    double[] largest(int columns, int rows);

    /** Returns the sum of each of the first rows. */
    double[] sums(int columns, int rows);

    /** Replaces each element by {@code exp(x - less)}. */
    void exponentials(int at, int count, double less);

    /** Replaces each element by {@code exp(x - largest)}. No element is larger than {@code largest}. */
    void exponentialsBelow(int at, int count, double largest);

    void divide(int at, int count, double divisor);

    void multiply(int at, int count, double factor);

    /** Replaces each element by {@code factor · weight · (x - less)}. */
    void slopes(int at, int count, ScoreRows weights, double less, double factor);

    /** Adds numbers that are a stride apart. */
    void add(int at, int count, HeapBuffer numbers, int from, int stride);

    /** Replaces elements by a number if their byte is 0. The bytes are a stride apart. */
    void hide(int at, int count, byte[] isSeen, int from, int stride, double number);

    void fill(int from, int to, double x);

    /** Computes exponentials and sums with the code of row programs. */
    record Floats(float[] elements, float[][] room) implements ScoreRows {
        private static final RowReduction LARGEST = RowReduction.of(Reduce.Fn.MAX);
        private static final RowReduction SUM = RowReduction.of(Reduce.Fn.SUM);

        @Override
        public double[] largest(int columns, int rows) {
            return folded(LARGEST, columns, rows);
        }

        @Override
        public double[] sums(int columns, int rows) {
            return folded(SUM, columns, rows);
        }

        private double[] folded(RowReduction fold, int columns, int rows) {
            float[] folded = new float[rows];
            fold.foldRows(elements, 0, columns, rows, folded, 0, room);
            double[] each = new double[rows];
            Arrays.setAll(each, row -> folded[row]);
            return each;
        }

        @Override
        public void exponentials(int at, int count, double less) {
            NumberOp.EXP_OF_SUB.run(elements, at, (float) less, elements, at, count);
        }

        @Override
        public void exponentialsBelow(int at, int count, double largest) {
            NumberOp.EXP_OF_FALL.run(elements, at, (float) largest, elements, at, count);
        }

        @Override
        public void divide(int at, int count, double divisor) {
            float by = (float) divisor;
            for (int i = at; i < at + count; i++) {
                elements[i] /= by;
            }
        }

        @Override
        public void multiply(int at, int count, double factor) {
            float by = (float) factor;
            for (int i = at; i < at + count; i++) {
                elements[i] *= by;
            }
        }

        @Override
        public void slopes(int at, int count, ScoreRows weights, double less, double factor) {
            slopes(elements, ((Floats) weights).elements, at, count, (float) less, (float) factor);
        }

        private static void slopes(float[] a, float[] weights, int at, int count, float less, float factor) {
            for (int i = at; i < at + count; i++) {
                a[i] = weights[i] * (a[i] - less) * factor;
            }
        }

        @Override
        public void add(int at, int count, HeapBuffer numbers, int from, int stride) {
            if (numbers.dtype() == DType.FLOAT32) {
                add(elements, at, count, numbers.floats(), from, stride);
                return;
            }
            for (int i = 0; i < count; i++) {
                elements[at + i] += (float) numbers.getDouble(from + i * stride);
            }
        }

        private static void add(float[] a, int at, int count, float[] numbers, int from, int stride) {
            if (stride == 1) {
                for (int i = 0; i < count; i++) {
                    a[at + i] += numbers[from + i];
                }
            } else {
                for (int i = 0; i < count; i++) {
                    a[at + i] += numbers[from + i * stride];
                }
            }
        }

        @Override
        public void hide(int at, int count, byte[] isSeen, int from, int stride, double number) {
            float hidden = (float) number;
            for (int i = 0; i < count; i++) {
                elements[at + i] = isSeen[from + i * stride] == 0 ? hidden : elements[at + i];
            }
        }

        @Override
        public void fill(int from, int to, double x) {
            Arrays.fill(elements, from, to, (float) x);
        }
    }

    /** Computes one element after the other. */
    record Doubles(double[] elements) implements ScoreRows {
        @Override
        public double[] largest(int columns, int rows) {
            return folded(Math::max, columns, rows);
        }

        @Override
        public double[] sums(int columns, int rows) {
            return folded(Double::sum, columns, rows);
        }

        private double[] folded(DoubleBinaryOperator join, int columns, int rows) {
            double[] each = new double[rows];
            for (int row = 0; row < rows; row++) {
                double folded = elements[row * columns];
                for (int i = row * columns + 1; i < (row + 1) * columns; i++) {
                    folded = join.applyAsDouble(folded, elements[i]);
                }
                each[row] = folded;
            }
            return each;
        }

        @Override
        public void exponentials(int at, int count, double less) {
            for (int i = at; i < at + count; i++) {
                elements[i] = Math.exp(elements[i] - less);
            }
        }

        @Override
        public void exponentialsBelow(int at, int count, double largest) {
            exponentials(at, count, largest);
        }

        @Override
        public void divide(int at, int count, double divisor) {
            for (int i = at; i < at + count; i++) {
                elements[i] /= divisor;
            }
        }

        @Override
        public void multiply(int at, int count, double factor) {
            for (int i = at; i < at + count; i++) {
                elements[i] *= factor;
            }
        }

        @Override
        public void slopes(int at, int count, ScoreRows weights, double less, double factor) {
            double[] factors = ((Doubles) weights).elements;
            for (int i = at; i < at + count; i++) {
                elements[i] = factors[i] * (elements[i] - less) * factor;
            }
        }

        @Override
        public void add(int at, int count, HeapBuffer numbers, int from, int stride) {
            for (int i = 0; i < count; i++) {
                elements[at + i] += numbers.getDouble(from + i * stride);
            }
        }

        @Override
        public void hide(int at, int count, byte[] isSeen, int from, int stride, double number) {
            for (int i = 0; i < count; i++) {
                elements[at + i] = isSeen[from + i * stride] == 0 ? number : elements[at + i];
            }
        }

        @Override
        public void fill(int from, int to, double x) {
            Arrays.fill(elements, from, to, x);
        }
    }
}
