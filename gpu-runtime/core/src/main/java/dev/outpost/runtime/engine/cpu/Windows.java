package dev.outpost.runtime.engine.cpu;

import dev.outpost.protocol.op.Slide;
import dev.outpost.protocol.types.Shape;

/**
 * The windows of images as matrices, a part at a time: a row for each channel and element of the kernel, a column for
 * each place of the window.
 *
 * @param height of an image
 * @param width of an image
 * @param kernelHeight of the window
 * @param kernelWidth of the window
 * @param down how many places the window has
 * @param across how many places the window has
 * @param rows how the window moves down
 * @param columns how it moves across
 */
record Windows(
        int height, int width, int kernelHeight, int kernelWidth, int down, int across, Slide rows, Slide columns) {

    static Windows of(Shape input, Shape weight, Shape output, Slide rows, Slide columns) {
        return new Windows(
                (int) input.size(2),
                (int) input.size(3),
                (int) weight.size(2),
                (int) weight.size(3),
                (int) output.size(2),
                (int) output.size(3),
                rows,
                columns);
    }

    /** Elements of one channel's window. */
    int kernel() {
        return kernelHeight * kernelWidth;
    }

    int places() {
        return down * across;
    }

    int plane() {
        return height * width;
    }

    /** Copies to the matrix; {@code at} is where the first channel's plane begins. */
    void copy(Object image, int at, int channels, int from, int to, Object matrix) {
        walk(at, channels, from, to, new Strips.Copying(image, matrix, columns.stride()));
    }

    /** Adds the matrix to the image. */
    void add(Object matrix, int channels, int from, int to, Object image, int at) {
        walk(at, channels, from, to, new Strips.Adding(image, matrix, columns.stride()));
    }

    private void walk(int at, int channels, int from, int to, Strips strips) {
        int[] insides = new int[kernelWidth];
        int[] outsides = new int[kernelWidth];
        for (int right = 0; right < kernelWidth; right++) {
            insides[right] = stepsTo(-x(right));
            outsides[right] = Math.max(insides[right], stepsTo(width - x(right)));
        }
        int first = from % across;
        int column = 0;
        for (int channel = 0; channel < channels; channel++) {
            for (int down = 0; down < kernelHeight; down++) {
                long line = (long) down * rows.dilation() - rows.padding() + (long) (from / across) * rows.stride();
                for (int right = 0; right < kernelWidth; right++) {
                    Element element = new Element(at + channel * plane(), x(right), insides[right], outsides[right]);
                    row(element, line, first, to - from, column, strips);
                    column += to - from;
                }
            }
        }
    }

    /** Where an element of the kernel is in a line of the image when the window is at the line's first place. */
    private long x(int right) {
        return (long) right * columns.dilation() - columns.padding();
    }

    /**
     * An element of the kernel.
     *
     * @param plane where the image begins
     * @param x where it is at the first place of a line
     * @param inside the first place at which it is in the image
     * @param outside the first one after that at which it is not
     */
    private record Element(int plane, long x, int inside, int outside) {}

    /** As many places as that, from one within a line on. */
    private void row(Element element, long firstLine, int firstPlace, int places, int firstColumn, Strips strips) {
        long line = firstLine;
        int first = firstPlace;
        int column = firstColumn;
        int behind = firstColumn + places;
        while (column < behind) {
            int last = Math.min(across, first + behind - column);
            boolean isWithin = line >= 0 && line < height;
            int begin = isWithin ? Math.max(first, Math.min(element.inside, last)) : last;
            int end = Math.max(begin, Math.min(element.outside, last));
            if (begin > first) {
                strips.pad(column, begin - first);
            }
            if (end > begin) {
                long place = element.plane + line * width + element.x + (long) begin * columns.stride();
                strips.move((int) place, column + begin - first, end - begin);
            }
            if (last > end) {
                strips.pad(column + end - first, last - end);
            }
            column += last - first;
            first = 0;
            line += rows.stride();
        }
    }

    /** How many places it takes to come that far, at most a line of them. */
    private int stepsTo(long distance) {
        return (int) Math.clamp(Math.ceilDiv(distance, (long) columns.stride()), 0L, across);
    }
}
