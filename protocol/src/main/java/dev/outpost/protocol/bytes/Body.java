package dev.outpost.protocol.bytes;

/**
 * Bytes that are written where they are sent from, and perhaps again on a later connection: so bulk data need no copy of
 * their own on the way out. They are the same each time.
 */
public interface Body {
    int length();

    /** Copies all of it to a place in an array; by one thread at a time. */
    void copyTo(byte[] target, int at);

    /** The bytes will not be asked for again. */
    default void release() {}

    /** A copy of the bytes. */
    default byte[] toByteArray() {
        byte[] bytes = new byte[length()];
        copyTo(bytes, 0);
        return bytes;
    }
}
