package dev.outpost.runtime.engine.cpu.window;

import dev.outpost.protocol.op.Slide;
import dev.outpost.runtime.engine.cpu.strip.Im2colCopies;
import dev.outpost.runtime.engine.cpu.strip.Im2colStrip;
import dev.outpost.runtime.engine.cpu.strip.TapRange;
import dev.outpost.types.Shape;

/**
 * The windows of images as matrices, a part at a time. A matrix has a row for each channel and element of the kernel, and a column for
 * each window position.
 *
 * @param height the height of an image
 * @param width the width of an image
 * @param kernelHeight the height of the window
 * @param kernelWidth the width of the window
 * @param down the number of window positions from top to bottom
 * @param across the number of window positions from left to right
 * @param rows the movement of the window from top to bottom
 * @param columns the movement of the window from left to right
 */
public record Im2colWindows(
        int height, int width, int kernelHeight, int kernelWidth, int down, int across, Slide rows, Slide columns) {

    public static Im2colWindows of(Shape input, Shape weight, Shape output, Slide rows, Slide columns) {
        return new Im2colWindows(
                (int) input.size(2),
                (int) input.size(3),
                (int) weight.size(2),
                (int) weight.size(3),
                (int) output.size(2),
                (int) output.size(3),
                rows,
                columns);
    }

    /** Returns the number of elements in one channel's window. */
    public int kernel() {
        return kernelHeight * kernelWidth;
    }

    public int places() {
        return down * across;
    }

    public int plane() {
        return height * width;
    }

    /** Copies windows to the matrix. {@code at} is the index of the first channel's plane. */
    public void copy(Object image, int at, int channels, int from, int to, Object matrix) {
        walk(at, channels, from, to, new Im2colCopies.Copying(image, matrix, columns.stride()));
    }

    /** Adds the matrix to the image. */
    public void add(Object matrix, int channels, int from, int to, Object image, int at) {
        walk(at, channels, from, to, new Im2colCopies.Adding(image, matrix, columns.stride()));
    }

    /**
     * Walks over positions. The first and the last line may be incomplete and are walked separately. All complete lines are walked
     * together.
     */
    private void walk(int at, int channels, int from, int to, Im2colCopies im2colCopies) {
        int column = 0;
        for (int place = from; place < to; ) {
            int first = place % across;
            int whole = first == 0 ? (to - place) / across : 0;
            int last = whole > 0 ? across : Math.min(across, first + to - place);
            Lines lines = new Lines(place / across, Math.max(whole, 1), first, last);
            walk(at, channels, lines, column, to - from, im2colCopies);
            column += lines.places();
            place += lines.places();
        }
    }

    /**
     * Lines of window positions with the same first and last position.
     *
     * @param line the first line
     * @param count the number of lines
     * @param first the first position in each line
     * @param last the position after the last one
     */
    private record Lines(int line, int count, int first, int last) {
        int width() {
            return last - first;
        }

        public int places() {
            return count * width();
        }
    }

    /**
     * Walks over some lines. Each row of the kernel is inside the image for some of the lines, and above or below it for the others.
     *
     * @param firstColumn the column of the first position in the matrix
     * @param pitch the number of columns in a row of the matrix
     */
    private void walk(int at, int channels, Lines lines, int firstColumn, int pitch, Im2colCopies im2colCopies) {
        TapRange[] downs = TapRange.of(rows, kernelHeight, lines.line, lines.line + lines.count, height);
        TapRange[] elements = TapRange.of(columns, kernelWidth, lines.first, lines.last, width);
        int apart = rows.stride() * width;
        int column = firstColumn;
        for (int channel = 0; channel < channels; channel++) {
            for (TapRange down : downs) {
                int image = at + channel * plane() + down.first() * width + down.begin() * apart;
                int begin = column + down.begin() * lines.width();
                Im2colStrip strip = new Im2colStrip(image, apart, begin, pitch, lines.width(), down.inside(), elements);
                pad(column, down.begin() * lines.width(), pitch, im2colCopies);
                if (down.inside() > 0) {
                    im2colCopies.move(strip);
                }
                int end = down.end() * lines.width();
                pad(column + end, lines.places() - end, pitch, im2colCopies);
                column += kernelWidth * pitch;
            }
        }
    }

    private void pad(int column, int count, int pitch, Im2colCopies im2colCopies) {
        if (count > 0) {
            for (int right = 0; right < kernelWidth; right++) {
                im2colCopies.pad(column + right * pitch, count);
            }
        }
    }
}
