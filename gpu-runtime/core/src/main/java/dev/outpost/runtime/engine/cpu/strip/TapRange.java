package dev.outpost.runtime.engine.cpu.strip;

import dev.outpost.protocol.op.Slide;
import java.util.Arrays;

/**
 * Where an element of the kernel is in the image, in one dimension, at some neighbouring places of the window.
 *
 * @param first where it is at the first of them; that may be outside
 * @param begin the first of them at which it is inside
 * @param end the first one after that at which it is not
 */
public record TapRange(int first, int begin, int end) {
    private static final TapRange NOWHERE = new TapRange(0, 0, 0);

    /** Of each element of a kernel at the places from one to before another. */
    public static TapRange[] of(Slide slide, int kernel, int from, int to, int size) {
        TapRange[] reaches = new TapRange[kernel];
        Arrays.setAll(reaches, element -> of(slide, (long) element * slide.dilation(), from, to - from, size));
        return reaches;
    }

    private static TapRange of(Slide slide, long element, int from, int places, int size) {
        long first = element - slide.padding() + (long) from * slide.stride();
        int begin = steps(-first, slide.stride(), places);
        int end = steps(size - first, slide.stride(), places);
        return begin < end ? new TapRange((int) first, begin, end) : NOWHERE;
    }

    /** How many steps it takes to come that far, at most all. */
    private static int steps(long distance, int stride, int max) {
        return (int) Math.clamp(Math.ceilDiv(distance, (long) stride), 0L, max);
    }

    public int inside() {
        return end - begin;
    }
}
