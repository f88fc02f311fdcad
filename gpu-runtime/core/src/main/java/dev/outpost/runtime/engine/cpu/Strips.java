package dev.outpost.runtime.engine.cpu;

import java.util.Arrays;

/** What happens between the lines of an image and the matrix of its windows: runs of elements are moved. */
interface Strips {
    /** Elements of the matrix that stand for padding. */
    void pad(int column, int count);

    /** Elements of the image, a stride apart, and neighbours in the matrix. */
    void move(int image, int column, int count);

    /** Fills with zeros. */
    static void clear(Object elements, int from, int count) {
        switch (elements) {
            case float[] floats -> Arrays.fill(floats, from, from + count, 0);
            case double[] doubles -> Arrays.fill(doubles, from, from + count, 0);
            default -> Arrays.fill((long[]) elements, from, from + count, 0);
        }
    }

    /** From the image to the matrix; float, double or long arrays. */
    record Copying(Object image, Object columns, int stride) implements Strips {
        @Override
        public void pad(int column, int count) {
            clear(columns, column, count);
        }

        @Override
        public void move(int from, int column, int count) {
            switch (image) {
                case float[] source -> copy(source, from, (float[]) columns, column, count);
                case double[] source -> copy(source, from, (double[]) columns, column, count);
                default -> copy((long[]) image, from, (long[]) columns, column, count);
            }
        }

        private void copy(float[] source, int from, float[] target, int at, int count) {
            if (stride == 1) {
                System.arraycopy(source, from, target, at, count);
                return;
            }
            for (int i = 0; i < count; i++) {
                target[at + i] = source[from + i * stride];
            }
        }

        private void copy(double[] source, int from, double[] target, int at, int count) {
            if (stride == 1) {
                System.arraycopy(source, from, target, at, count);
                return;
            }
            for (int i = 0; i < count; i++) {
                target[at + i] = source[from + i * stride];
            }
        }

        private void copy(long[] source, int from, long[] target, int at, int count) {
            if (stride == 1) {
                System.arraycopy(source, from, target, at, count);
                return;
            }
            for (int i = 0; i < count; i++) {
                target[at + i] = source[from + i * stride];
            }
        }
    }

    /** From the matrix to the image, where windows overlap and are summed. */
    record Adding(Object image, Object columns, int stride) implements Strips {
        @Override
        public void pad(int column, int count) {
            // What fell on padding belongs to nothing.
        }

        @Override
        public void move(int to, int column, int count) {
            switch (image) {
                case float[] target -> add((float[]) columns, column, target, to, count);
                case double[] target -> add((double[]) columns, column, target, to, count);
                default -> add((long[]) columns, column, (long[]) image, to, count);
            }
        }

        private void add(float[] source, int from, float[] target, int at, int count) {
            if (stride == 1) {
                for (int i = 0; i < count; i++) {
                    target[at + i] += source[from + i];
                }
                return;
            }
            for (int i = 0; i < count; i++) {
                target[at + i * stride] += source[from + i];
            }
        }

        private void add(double[] source, int from, double[] target, int at, int count) {
            if (stride == 1) {
                for (int i = 0; i < count; i++) {
                    target[at + i] += source[from + i];
                }
                return;
            }
            for (int i = 0; i < count; i++) {
                target[at + i * stride] += source[from + i];
            }
        }

        private void add(long[] source, int from, long[] target, int at, int count) {
            if (stride == 1) {
                for (int i = 0; i < count; i++) {
                    target[at + i] += source[from + i];
                }
                return;
            }
            for (int i = 0; i < count; i++) {
                target[at + i * stride] += source[from + i];
            }
        }
    }
}
