package dev.outpost.client.transfer;

import java.nio.ByteBuffer;

/** Where the elements of a fetch go, row-major and little-endian, piece by piece as they come. */
@FunctionalInterface
public interface ElementSink {
    /** Copies what remains in the buffer, whole elements; they are those from byte {@code first} on. */
    void write(int first, ByteBuffer source);
}
