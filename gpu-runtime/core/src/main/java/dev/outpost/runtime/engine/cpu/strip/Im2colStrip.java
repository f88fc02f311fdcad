package dev.outpost.runtime.engine.cpu.strip;

/**
 * The image elements under one line of the kernel for some lines of window positions. Neighbouring positions are a stride apart in the
 * image and adjacent in the matrix of windows.
 *
 * @param image the index of the first line of the image
 * @param apart the distance between lines in the image
 * @param column the index of the first line in the first row of the matrix; the others follow without gaps
 * @param pitch the distance between rows of the matrix; each element of the kernel has a row
 * @param width the number of positions in a line
 * @param lines the number of lines
 * @param elements the ranges of the elements of the kernel's line
 */
public record Im2colStrip(int image, int apart, int column, int pitch, int width, int lines, TapRange... elements) {
    Im2colStrip part(int from, int count) {
        return new Im2colStrip(image + from * apart, apart, column + from * width, pitch, width, count, elements);
    }

    /** Returns the number of matrix elements for one line of positions. */
    int across() {
        return width * elements.length;
    }

    /** Returns the number of elements of an image line up to the last one that a window covers. */
    int seen() {
        int end = 0;
        for (TapRange taps : elements) {
            end = Math.max(end, taps.first() + taps.end());
        }
        return end;
    }
}
