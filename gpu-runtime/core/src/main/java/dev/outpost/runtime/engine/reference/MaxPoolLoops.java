package dev.outpost.runtime.engine.reference;

import dev.outpost.protocol.op.MaxPool;
import dev.outpost.protocol.op.Slide;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.HeapBuffer;
import dev.outpost.types.Layout;

/**
 * Finds the largest element of each window and its index: A NaN is chosen before all numbers, and otherwise the first of several equal
 * elements.
 */
final class MaxPoolLoops {
    private MaxPoolLoops() {}

    static void max(MaxPool op, Array input, Array values, Array places) {
        ElementCursor value = ElementCursor.of(values);
        ElementCursor place = ElementCursor.of(places);
        for (long plane = 0; !values.shape().isEmpty() && plane < values.shape().size(0); plane++) {
            for (long row = 0; row < values.shape().size(1); row++) {
                for (long column = 0; column < values.shape().size(2); column++) {
                    long best = best(op, input, plane, row, column);
                    place.put(best);
                    value.put(at(input, plane, best));
                }
            }
        }
    }

    private static long best(MaxPool op, Array input, long plane, long row, long column) {
        long height = input.shape().size(1);
        long width = input.shape().size(2);
        long best = -1;
        for (long i = first(op.rows(), row);
                isWithin(op.rows(), row, i, op.window().size(0), height);
                i++) {
            for (long j = first(op.columns(), column);
                    isWithin(op.columns(), column, j, op.window().size(1), width);
                    j++) {
                long place = place(op.rows(), row, i) * width + place(op.columns(), column, j);
                if (best < 0 || outranks(at(input, plane, place), at(input, plane, best))) {
                    best = place;
                }
            }
        }
        return best;
    }

    /** Returns the first element of a window that is not before the image. A window may be far larger than its part inside the image. */
    private static long first(Slide slide, long step) {
        return Math.max(0, -Math.floorDiv(step * slide.stride() - slide.padding(), (long) slide.dilation()));
    }

    private static boolean isWithin(Slide slide, long step, long element, long window, long size) {
        return element < window && place(slide, step, element) < size;
    }

    private static long place(Slide slide, long step, long element) {
        return step * slide.stride() - slide.padding() + element * slide.dilation();
    }

    private static boolean outranks(double x, double best) {
        return x > best || Double.isNaN(x) && !Double.isNaN(best);
    }

    private static double at(Array input, long plane, long place) {
        Layout layout = input.layout();
        long width = input.shape().size(2);
        long position = layout.offset()
                + plane * layout.stride(0)
                + place / width * layout.stride(1)
                + place % width * layout.stride(2);
        HeapBuffer buffer = ElementCursor.heap(input);
        return buffer.getDouble((int) position);
    }
}
