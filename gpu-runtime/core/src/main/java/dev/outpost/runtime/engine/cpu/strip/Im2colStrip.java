package dev.outpost.runtime.engine.cpu.strip;

/**
 * The elements that a line of the kernel sees from some lines of the window's places: places that are neighbours in
 * the image lie a stride apart there and beside each other in the matrix of windows.
 *
 * @param image where the first line of the image begins that is seen
 * @param apart how far lines are apart in the image
 * @param column where the first line begins in the matrix, in its first row; the others follow without gaps
 * @param pitch how far rows of the matrix are apart, of which each element of the kernel has one
 * @param width places of a line
 * @param lines how many there are
 * @param elements of the kernel's line
 */
public record Im2colStrip(int image, int apart, int column, int pitch, int width, int lines, TapRange... elements) {
    /** Some of the lines. */
    Im2colStrip part(int from, int count) {
        return new Im2colStrip(image + from * apart, apart, column + from * width, pitch, width, count, elements);
    }

    /** Elements of the matrix that are a line of places. */
    int across() {
        return width * elements.length;
    }

    /** Elements of a line of the image behind which nothing is seen. */
    int seen() {
        int end = 0;
        for (TapRange taps : elements) {
            end = Math.max(end, taps.first() + taps.end());
        }
        return end;
    }
}
