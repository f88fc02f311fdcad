package dev.outpost.client.transfer;

import java.nio.ByteBuffer;

/** Receives the elements of a fetch, row-major and little-endian, piece by piece as they arrive. */
@FunctionalInterface
public interface ElementSink {
    /** Copies the remaining bytes of the buffer, which are whole elements; the first is byte {@code first} of the value. */
    void write(int first, ByteBuffer source);
}
