package dev.outpost.protocol.files;

import java.io.Closeable;
import java.io.IOException;

/** Bytes that can be read at any position: a file, an object of a store, an array. Thread-safe. */
public interface ReadableBytes extends Closeable {
    /** Returns the name in errors, which contains no secret. */
    String name();

    /** Returns the number of bytes. Never changes. */
    long size();

    /**
     * Reads exactly {@code length} bytes from {@code position} on into {@code target}, from {@code at} on.
     *
     * @throws java.io.EOFException if fewer bytes exist; the message has the name and the range
     */
    void read(long position, byte[] target, int at, int length) throws IOException;

    /** Reads like {@link #read(long, byte[], int, int)}, into a new array. */
    default byte[] read(long position, int length) throws IOException {
        byte[] bytes = new byte[length];
        read(position, bytes, 0, length);
        return bytes;
    }

    @Override
    default void close() throws IOException {}
}
