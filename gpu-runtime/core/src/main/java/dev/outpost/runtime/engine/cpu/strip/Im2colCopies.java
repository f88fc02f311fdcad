package dev.outpost.runtime.engine.cpu.strip;

import dev.outpost.runtime.engine.cpu.index.ElementMoves;
import java.util.Arrays;

/** Moves runs of elements between the lines of an image and the matrix of its windows. */
public interface Im2colCopies {
    /** Processes elements of the matrix that represent padding. */
    void pad(int column, int count);

    /** Moves lines that contain some elements of the image. */
    void move(Im2colStrip strip);

    /** Fills a part of an array with zeros. */
    static void clear(Object elements, int from, int count) {
        switch (elements) {
            case float[] floats -> Arrays.fill(floats, from, from + count, 0);
            case double[] doubles -> Arrays.fill(doubles, from, from + count, 0);
            default -> Arrays.fill((long[]) elements, from, from + count, 0);
        }
    }

    /** Copies from the image to the matrix. Both objects are float, double or long arrays. */
    record Copying(Object image, Object columns, int stride) implements Im2colCopies {
        @Override
        public void pad(int column, int count) {
            clear(columns, column, count);
        }

        @Override
        public void move(Im2colStrip strip) {
            if (stride == 1 && image instanceof float[] floats) {
                FloatIm2colCopies.COPY.run(floats, (float[]) columns, strip);
                return;
            }
            for (int element = 0; element < strip.elements().length; element++) {
                copy(strip, strip.elements()[element], strip.column() + element * strip.pitch());
            }
        }

        private void copy(Im2colStrip strip, TapRange taps, int firstColumn) {
            for (int line = 0; line < strip.lines(); line++) {
                int from = strip.image() + line * strip.apart() + taps.first() + taps.begin() * stride;
                int column = firstColumn + line * strip.width();
                pad(column, taps.begin());
                copy(from, column + taps.begin(), taps.inside());
                pad(column + taps.end(), strip.width() - taps.end());
            }
        }

        private void copy(int from, int column, int count) {
            if (stride == 1) {
                System.arraycopy(image, from, columns, column, count);
                return;
            }
            ElementMoves.copy(image, from, stride, columns, column, count);
        }
    }

    /** Adds the matrix to the image, since windows overlap. */
    record Adding(Object image, Object columns, int stride) implements Im2colCopies {
        @Override
        public void pad(int column, int count) {
            // Elements on padding do not belong to the image.
        }

        @Override
        public void move(Im2colStrip strip) {
            if (stride == 1 && image instanceof float[] floats) {
                FloatIm2colCopies.ADD.run(floats, (float[]) columns, strip);
                return;
            }
            for (int element = 0; element < strip.elements().length; element++) {
                add(strip, strip.elements()[element], strip.column() + element * strip.pitch());
            }
        }

        private void add(Im2colStrip strip, TapRange taps, int firstColumn) {
            for (int line = 0; line < strip.lines(); line++) {
                int to = strip.image() + line * strip.apart() + taps.first() + taps.begin() * stride;
                int column = firstColumn + line * strip.width() + taps.begin();
                ElementMoves.sum(columns, column, image, to, stride, taps.inside());
            }
        }
    }
}
