package dev.outpost.protocol.bytes;

/**
 * Bytes that are written when they are sent, and perhaps again on a later connection, so that bulk data need not be
 * copied. The bytes are the same each time.
 */
public interface Body {
    int length();

    /** Copies all bytes to a position in an array. Called by one thread at a time. */
    void copyTo(byte[] target, int at);

    /** Releases the bytes. They are not read any more. */
    default void release() {}

    /** Returns a copy of the bytes. */
    default byte[] toByteArray() {
        byte[] bytes = new byte[length()];
        copyTo(bytes, 0);
        return bytes;
    }
}
