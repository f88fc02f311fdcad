package dev.outpost.runtime.engine.cpu.window;

import dev.outpost.protocol.op.MaxPool;
import dev.outpost.protocol.op.Slide;
import dev.outpost.runtime.engine.cpu.loop.Elementwise;
import dev.outpost.runtime.engine.cpu.memory.Scratch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.Arrays;

/**
 * Finds the largest element of each window, plane by plane. 16-bit floats are compared as float32, which represents
 * them exactly.
 */
public record MaxPools(Elementwise elementwise) {
    /** The number of compared elements that justifies a separate thread. */
    private static final int GRAIN = 16 << 10;
    /** The maximum number of entries in the table of a plane's window elements, of 4 bytes each. */
    private static final int TABLE = 128 << 10;

    public void run(MaxPool op, Array input, Array values, Array places) {
        if (values.shape().isEmpty()) {
            return;
        }
        try (Scratch scratch = elementwise.scratch()) {
            DType dtype = input.dtype() == DType.FLOAT64 ? DType.FLOAT64 : DType.FLOAT32;
            Array source = elementwise.contiguous(input, dtype, scratch);
            Array target = dtype == values.dtype() ? values : scratch.array(dtype, values.shape());
            int planes = (int) input.shape().size(0);
            long looks = Math.min(op.window().elements(), input.shape().elements() / planes)
                    * (values.shape().elements() / planes);
            Pooling pooling = pooling(op, input.shape(), values.shape(), dtype);
            elementwise.workers().run(planes, (int) Math.max(1, GRAIN / looks), (from, to) -> {
                for (int number = from; number < to; number++) {
                    pooling.run(Plane.of(source, target, places, number), source, target, places);
                }
            });
            if (target != values) {
                elementwise.cast(target, values);
            }
        }
    }

    /** The algorithm for a plane. */
    @FunctionalInterface
    private interface Pooling {
        public void run(Plane plane, Array input, Array values, Array places);
    }

    private static Pooling pooling(MaxPool op, Shape input, Shape values, DType dtype) {
        Span[] lines = spans(op.rows(), op.window().size(0), input.size(1), values.size(1));
        Span[] line = spans(op.columns(), op.window().size(1), input.size(2), values.size(2));
        if (dtype == DType.FLOAT32 && isShort(op.window(), (long) lines.length * line.length)) {
            int[][] looks = looks(op.window(), lines, line, (int) input.size(2));
            return (plane, elements, largest, places) -> pool(plane, elements, largest, places, looks);
        }
        return (plane, elements, largest, places) -> windows(plane, elements, largest, places, lines, line);
    }

    /** Returns true if the table of all window elements fits into a core's own cache. */
    private static boolean isShort(Shape window, long windows) {
        return window.size(0) <= TABLE && window.size(1) <= TABLE && window.elements() <= TABLE / windows;
    }

    /**
     * For each element of the window, returns its index in the plane for each window position. Padding is replaced by another element of
     * the same window.
     */
    private static int[][] looks(Shape window, Span[] lines, Span[] line, int width) {
        int[][] looks = new int[(int) window.elements()][lines.length * line.length];
        for (int element = 0; element < looks.length; element++) {
            int down = element / (int) window.size(1);
            int across = element % (int) window.size(1);
            for (int place = 0; place < looks[element].length; place++) {
                looks[element][place] =
                        lines[place / line.length].at(down) * width + line[place % line.length].at(across);
            }
        }
        return looks;
    }

    /**
     * The part of a window inside the image, in one dimension.
     *
     * @param first its first element
     * @param count the number of elements
     * @param step the distance between elements
     */
    private record Span(int first, int count, int step) {
        static Span of(Slide slide, int place, long window, long size) {
            long begin = (long) place * slide.stride() - slide.padding();
            long skipped = Math.max(0, Math.ceilDiv(-begin, (long) slide.dilation()));
            long first = begin + skipped * slide.dilation();
            long count = Math.min(window - skipped, Math.ceilDiv(size - first, (long) slide.dilation()));
            return new Span((int) first, (int) count, slide.dilation());
        }

        /** Returns the coordinate of an element, or of the last element if there are fewer. */
        int at(int element) {
            return first + Math.min(element, count - 1) * step;
        }
    }

    private static Span[] spans(Slide slide, long window, long size, long places) {
        Span[] spans = new Span[(int) places];
        Arrays.setAll(spans, place -> Span.of(slide, place, window, size));
        return spans;
    }

    /**
     * The location of a plane.
     *
     * @param from the index of its first element
     * @param width the length of a line
     * @param value the index of its first result
     * @param place the index at which the position of the first result is stored
     */
    private record Plane(int from, int width, int value, int place) {
        static Plane of(Array input, Array values, Array places, int number) {
            int width = (int) input.shape().size(2);
            int size = (int) input.shape().size(1) * width;
            int results = (int) (values.shape().size(1) * values.shape().size(2));
            return new Plane(
                    (int) input.layout().offset() + number * size,
                    width,
                    (int) values.layout().offset() + number * results,
                    (int) places.layout().offset() + number * results);
        }
    }

    private static void pool(Plane plane, Array input, Array values, Array places, int[][] looks) {
        int[] found = new int[looks[0].length];
        FloatPools.largest(
                Elementwise.buffer(input).floats(),
                plane.from,
                looks,
                Elementwise.buffer(values).floats(),
                plane.value,
                found);
        long[] indices = Elementwise.buffer(places).longs();
        for (int window = 0; window < found.length; window++) {
            indices[plane.place + window] = found[window];
        }
    }

    private static void windows(Plane plane, Array input, Array values, Array places, Span[] lines, Span[] line) {
        long[] indices = Elementwise.buffer(places).longs();
        if (input.dtype() == DType.FLOAT64) {
            double[] elements = Elementwise.buffer(input).doubles();
            double[] largest = Elementwise.buffer(values).doubles();
            for (int result = 0; result < lines.length * line.length; result++) {
                int best = best(elements, plane, lines[result / line.length], line[result % line.length]);
                largest[plane.value + result] = elements[best];
                indices[plane.place + result] = best - plane.from;
            }
        } else {
            float[] elements = Elementwise.buffer(input).floats();
            float[] largest = Elementwise.buffer(values).floats();
            for (int result = 0; result < lines.length * line.length; result++) {
                int best = best(elements, plane, lines[result / line.length], line[result % line.length]);
                largest[plane.value + result] = elements[best];
                indices[plane.place + result] = best - plane.from;
            }
        }
    }

    private static int best(float[] elements, Plane plane, Span down, Span across) {
        long best = Long.MIN_VALUE;
        for (int i = 0; i < down.count; i++) {
            int place = plane.from + (down.first + i * down.step) * plane.width + across.first;
            for (int j = 0; j < across.count; j++, place += across.step) {
                best = Math.max(best, FloatPools.ranked(elements[place], place));
            }
        }
        return FloatPools.place(best);
    }

    private static int best(double[] elements, Plane plane, Span down, Span across) {
        int best = plane.from + down.first * plane.width + across.first;
        double largest = elements[best];
        for (int i = 0; i < down.count; i++) {
            int place = plane.from + (down.first + i * down.step) * plane.width + across.first;
            for (int j = 0; j < across.count; j++, place += across.step) {
                // True if the element is larger or NaN.
                if (!(elements[place] <= largest) && !Double.isNaN(largest)) {
                    best = place;
                    largest = elements[place];
                }
            }
        }
        return best;
    }
}
