package dev.outpost.runtime.engine.cpu.strip;

import dev.outpost.runtime.engine.cpu.vector.Vectors;
import dev.outpost.runtime.engine.cpu.vector.WarmupSwitch;
import java.util.Arrays;

/** Moves strips of floats that are consecutive in the image, as in most convolutions. The lines of a strip are mostly short. */
final class FloatIm2colCopies {
    /** Copies from the image to the matrix, including padding. */
    static final FloatIm2colCopies COPY =
            new FloatIm2colCopies(FloatIm2colCopies::copy, Vectors.PRESENT ? VectorIm2colCopies::copy : null);

    /** Adds the matrix to the image, since windows overlap. */
    static final FloatIm2colCopies ADD =
            new FloatIm2colCopies(FloatIm2colCopies::add, Vectors.PRESENT ? VectorIm2colCopies::add : null);

    /** Moves all lines of a strip. */
    @FunctionalInterface
    interface Move {
        void run(float[] image, float[] columns, Im2colStrip strip);
    }

    private final Move plain;
    private final Move vectors;
    private final WarmupSwitch warmup = new WarmupSwitch();

    private FloatIm2colCopies(Move plain, Move vectors) {
        this.plain = plain;
        this.vectors = vectors;
    }

    void run(float[] image, float[] columns, Im2colStrip strip) {
        if (vectors == null) {
            plain.run(image, columns, strip);
        } else if (warmup.isDone()) {
            vectors.run(image, columns, strip);
        } else {
            rising(image, columns, strip);
        }
    }

    private void rising(float[] image, float[] columns, Im2colStrip strip) {
        int unit = strip.across();
        warmup.both(
                strip.lines() * unit,
                unit,
                (from, some) -> vectors.run(image, columns, strip.part(from / unit, some / unit)),
                (from, some) -> plain.run(image, columns, strip.part(from / unit, some / unit)));
    }

    static void copy(float[] image, float[] columns, Im2colStrip strip) {
        int column = strip.column();
        for (TapRange taps : strip.elements()) {
            copy(image, columns, strip, taps, column);
            column += strip.pitch();
        }
    }

    private static void copy(float[] image, float[] columns, Im2colStrip strip, TapRange taps, int column) {
        int from = strip.image() + taps.first() + taps.begin();
        int at = column;
        for (int line = 0; line < strip.lines(); line++) {
            Arrays.fill(columns, at, at + taps.begin(), 0);
            System.arraycopy(image, from, columns, at + taps.begin(), taps.inside());
            Arrays.fill(columns, at + taps.end(), at + strip.width(), 0);
            from += strip.apart();
            at += strip.width();
        }
    }

    static void add(float[] image, float[] columns, Im2colStrip strip) {
        int column = strip.column();
        for (TapRange taps : strip.elements()) {
            add(image, columns, strip, taps, column);
            column += strip.pitch();
        }
    }

    private static void add(float[] image, float[] columns, Im2colStrip strip, TapRange taps, int column) {
        int to = strip.image() + taps.first() + taps.begin();
        int at = column + taps.begin();
        for (int line = 0; line < strip.lines(); line++) {
            for (int i = 0; i < taps.inside(); i++) {
                image[to + i] += columns[at + i];
            }
            to += strip.apart();
            at += strip.width();
        }
    }
}
