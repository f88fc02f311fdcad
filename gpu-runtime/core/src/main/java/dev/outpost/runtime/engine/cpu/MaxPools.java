package dev.outpost.runtime.engine.cpu;

import dev.outpost.protocol.op.MaxPool;
import dev.outpost.protocol.op.Slide;
import dev.outpost.protocol.types.DType;
import dev.outpost.runtime.memory.Array;
import java.util.Arrays;

/** The largest elements of windows, plane by plane; 16-bit floats as float32, which holds them all. */
final class MaxPools {
    /** Elements looked at that are worth a thread. */
    private static final int GRAIN = 16 << 10;

    private final Elementwise elementwise;

    MaxPools(Elementwise elementwise) {
        this.elementwise = elementwise;
    }

    void run(MaxPool op, Array input, Array values, Array places) {
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
            Span[] lines = spans(
                    op.rows(),
                    op.window().size(0),
                    input.shape().size(1),
                    values.shape().size(1));
            Span[] line = spans(
                    op.columns(),
                    op.window().size(1),
                    input.shape().size(2),
                    values.shape().size(2));
            elementwise.workers().run(planes, (int) Math.max(1, GRAIN / looks), (from, to) -> {
                for (int plane = from; plane < to; plane++) {
                    plane(source, target, places, plane, lines, line);
                }
            });
            if (target != values) {
                elementwise.cast(target, values);
            }
        }
    }

    /**
     * What of a window is within the image, in one dimension.
     *
     * @param first its first element
     * @param count how many elements there are
     * @param step how far they are apart
     */
    private record Span(int first, int count, int step) {
        static Span of(Slide slide, int place, long window, long size) {
            long begin = (long) place * slide.stride() - slide.padding();
            long skipped = Math.max(0, Math.ceilDiv(-begin, (long) slide.dilation()));
            long first = begin + skipped * slide.dilation();
            long count = Math.min(window - skipped, Math.ceilDiv(size - first, (long) slide.dilation()));
            return new Span((int) first, (int) count, slide.dilation());
        }
    }

    private static Span[] spans(Slide slide, long window, long size, long places) {
        Span[] spans = new Span[(int) places];
        Arrays.setAll(spans, place -> Span.of(slide, place, window, size));
        return spans;
    }

    private static void plane(Array input, Array values, Array places, int plane, Span[] lines, Span[] line) {
        int width = (int) input.shape().size(2);
        int from = (int) input.layout().offset() + plane * (int) input.shape().size(1) * width;
        int first = plane * lines.length * line.length;
        int value = (int) values.layout().offset() + first;
        int place = (int) places.layout().offset() + first;
        long[] indices = Elementwise.buffer(places).longs();
        for (Span down : lines) {
            for (Span across : line) {
                int best = switch (Elementwise.javaArray(input)) {
                    case float[] elements -> best(elements, from, width, down, across);
                    case Object elements -> best((double[]) elements, from, width, down, across);
                };
                indices[place++] = best;
                System.arraycopy(Elementwise.javaArray(input), from + best, Elementwise.javaArray(values), value++, 1);
            }
        }
    }

    private static int best(float[] elements, int from, int width, Span down, Span across) {
        int best = down.first * width + across.first;
        float largest = elements[from + best];
        for (int i = 0; i < down.count; i++) {
            int place = (down.first + i * down.step) * width + across.first;
            for (int j = 0; j < across.count; j++, place += across.step) {
                float element = elements[from + place];
                if (element > largest || Float.isNaN(element) && !Float.isNaN(largest)) {
                    best = place;
                    largest = element;
                }
            }
        }
        return best;
    }

    private static int best(double[] elements, int from, int width, Span down, Span across) {
        int best = down.first * width + across.first;
        double largest = elements[from + best];
        for (int i = 0; i < down.count; i++) {
            int place = (down.first + i * down.step) * width + across.first;
            for (int j = 0; j < across.count; j++, place += across.step) {
                double element = elements[from + place];
                if (element > largest || Double.isNaN(element) && !Double.isNaN(largest)) {
                    best = place;
                    largest = element;
                }
            }
        }
        return best;
    }
}
