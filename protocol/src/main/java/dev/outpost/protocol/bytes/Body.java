package dev.outpost.protocol.bytes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Bytes that are written where they are sent from, and perhaps again on a later connection: so bulk data need no copy of
 * their own on the way out. They are the same each time.
 */
public interface Body {
    int length();

    /** Writes all of it; by one thread at a time. */
    void writeTo(OutputStream out) throws IOException;

    /** Nobody asks for the bytes again. */
    default void release() {}

    /** A copy of the bytes. */
    default byte[] toByteArray() {
        ByteArrayOutputStream out = new ByteArrayOutputStream(length());
        try {
            writeTo(out);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.toByteArray();
    }
}
