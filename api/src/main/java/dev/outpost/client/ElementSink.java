package dev.outpost.client;

/** Where the elements of a fetch go, row-major and little-endian, piece by piece as they come. */
@FunctionalInterface
public interface ElementSink {
    /** Copies {@code length} bytes, whole elements; they are those from byte {@code first} on. */
    void write(int first, byte[] source, int from, int length);
}
