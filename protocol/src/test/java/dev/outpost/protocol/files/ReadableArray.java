package dev.outpost.protocol.files;

import java.io.EOFException;
import java.util.Objects;

/**
 * Bytes in memory.
 *
 * @param name the name in errors
 * @param bytes the bytes, which are not copied
 */
public record ReadableArray(String name, byte[] bytes) implements ReadableBytes {
    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public void read(long position, byte[] target, int at, int length) throws EOFException {
        Objects.checkFromIndexSize(at, length, target.length);
        if (position < 0 || position > bytes.length - length) {
            throw new EOFException(name + ": bytes " + position + " to " + (position + length)
                    + " were wanted, there are " + bytes.length);
        }
        System.arraycopy(bytes, (int) position, target, at, length);
    }
}
