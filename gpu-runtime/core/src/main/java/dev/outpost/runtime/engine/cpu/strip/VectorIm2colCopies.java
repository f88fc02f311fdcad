package dev.outpost.runtime.engine.cpu.strip;

import dev.outpost.runtime.engine.cpu.vector.VectorMath;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loops of {@link FloatIm2colCopies} with vectors, one register of each line at a time, including padding. They compute the same
 * bits.
 */
final class VectorIm2colCopies {
    private static final VectorSpecies<Float> SPECIES = VectorMath.SPECIES;
    private static final int LANES = SPECIES.length();

    private VectorIm2colCopies() {}

    static void copy(float[] image, float[] columns, Im2colStrip strip) {
        int column = strip.column();
        for (TapRange taps : strip.elements()) {
            for (int first = 0; first < strip.width(); first += LANES) {
                copy(image, columns, strip, taps, first, column);
            }
            column += strip.pitch();
        }
    }

    private static void copy(float[] image, float[] columns, Im2colStrip strip, TapRange taps, int first, int column) {
        VectorMask<Float> inside = VectorMask.fromLong(SPECIES, lanes(taps.begin() - first, taps.end() - first));
        VectorMask<Float> all = VectorMask.fromLong(SPECIES, lanes(0, strip.width() - first));
        int from = strip.image() + taps.first() + first;
        int at = column + first;
        for (int line = 0; line < strip.lines(); line++) {
            FloatVector.fromArray(SPECIES, image, from, inside).intoArray(columns, at, all);
            from += strip.apart();
            at += strip.width();
        }
    }

    /**
     * Adds all elements of the kernel's line before it stores a line of the image, because a load that overlaps a recent store has to wait
     * for it.
     */
    static void add(float[] image, float[] columns, Im2colStrip strip) {
        int end = strip.seen();
        int[] indices = new int[strip.elements().length];
        long[] inside = new long[indices.length];
        for (int first = 0; first < end; first += LANES) {
            for (int element = 0; element < indices.length; element++) {
                TapRange tapRange = strip.elements()[element];
                int skipped = first - tapRange.first();
                indices[element] = strip.column() + element * strip.pitch() + skipped;
                inside[element] = lanes(tapRange.begin() - skipped, tapRange.end() - skipped);
            }
            add(image, columns, strip, first, end - first, indices, inside);
        }
    }

    private static void add(
            float[] image, float[] columns, Im2colStrip strip, int first, int count, int[] indices, long[] inside) {
        VectorMask<Float> all = VectorMask.fromLong(SPECIES, lanes(0, count));
        int to = strip.image() + first;
        int moved = 0;
        for (int line = 0; line < strip.lines(); line++) {
            FloatVector sum = FloatVector.fromArray(SPECIES, image, to, all);
            for (int element = 0; element < indices.length; element++) {
                VectorMask<Float> some = VectorMask.fromLong(SPECIES, inside[element]);
                sum = FloatVector.fromArray(SPECIES, columns, indices[element] + moved, some)
                        .add(sum);
            }
            VectorMath.exact(sum).intoArray(image, to, all);
            to += strip.apart();
            moved += strip.width();
        }
    }

    /** Returns a mask with the bits {@code from} to before {@code to}. Both bits may be outside of the register. */
    private static long lanes(int from, int to) {
        return below(to) & ~below(from);
    }

    private static long below(int lane) {
        return (1L << Math.max(0, Math.min(lane, LANES))) - 1;
    }
}
