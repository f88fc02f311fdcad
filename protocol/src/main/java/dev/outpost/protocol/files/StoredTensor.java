package dev.outpost.protocol.files;

import dev.outpost.types.TensorType;

/**
 * A tensor in a file: its elements, row-major and little-endian, are the bytes {@code [begin, end)} of the file.
 *
 * @param name its name in the file
 * @param type dtype and shape
 */
public record StoredTensor(String name, TensorType type, long begin, long end) {
    /** As many as the type takes. */
    public long bytes() {
        return end - begin;
    }
}
