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
        for (int row = 0; row < channels * kernel(); row++) {
            int plane = at + row / kernel() * plane();
            long y = (long) (row / kernelWidth % kernelHeight) * rows.dilation() - rows.padding();
            long x = (long) (row % kernelWidth) * columns.dilation() - columns.padding();
            row(plane, y, x, from, to, row * (to - from), strips);
        }
    }

    /** One element of the kernel, which is at y and x for the first place. */
    private void row(int plane, long y, long x, int from, int to, int column, Strips strips) {
        int place = from;
        while (place < to) {
            int first = place % across;
            int count = Math.min(across - first, to - place);
            long line = y + (long) (place / across) * rows.stride();
            int target = column + place - from;
            if (line < 0 || line >= height) {
                strips.pad(target, count);
            } else {
                line(plane + (int) line * width, x + (long) first * columns.stride(), count, target, strips);
            }
            place += count;
        }
    }

    private void line(int line, long x, int count, int column, Strips strips) {
        int before = stepsTo(-x, count);
        int end = Math.max(before, stepsTo(width - x, count));
        strips.pad(column, before);
        if (end > before) {
            strips.move((int) (line + x + (long) before * columns.stride()), column + before, end - before);
        }
        strips.pad(column + end, count - end);
    }

    /** How many steps of a stride it takes to come that far, at most {@code count}. */
    private int stepsTo(long distance, int count) {
        return (int) Math.clamp(Math.ceilDiv(distance, (long) columns.stride()), 0L, count);
    }
}
