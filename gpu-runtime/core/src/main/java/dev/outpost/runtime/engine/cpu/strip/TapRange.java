package dev.outpost.runtime.engine.cpu.strip;

import dev.outpost.protocol.op.Slide;
import java.util.Arrays;

/**
 * The window positions at which one element of the kernel is inside the image, in one dimension.
 *
 * @param first the element's image coordinate at the first position, which may be outside of the image
 * @param begin the first position at which the element is inside
 * @param end the position after the last one at which the element is inside
 */
public record TapRange(int first, int begin, int end) {
    private static final TapRange NOWHERE = new TapRange(0, 0, 0);

    /** Returns the ranges of all elements of a kernel for the positions {@code from} to before {@code to}. */
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

    /** Returns the number of steps that cover a distance, at most {@code max}. */
    private static int steps(long distance, int stride, int max) {
        return (int) Math.clamp(Math.ceilDiv(distance, (long) stride), 0L, max);
    }

    public int inside() {
        return end - begin;
    }
}
