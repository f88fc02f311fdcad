package dev.outpost.client;

import dev.outpost.protocol.bytes.Slice;

/** Where the elements of an upload come from, row-major and little-endian, piece by piece as they are sent. */
@FunctionalInterface
public interface ElementSource {
    /** The bytes from {@code from} on, whole elements; nobody changes them once they are read. */
    Slice read(int from, int length);

    /** Elements that nobody changes any more: they are sent from where they are. */
    static ElementSource of(byte[] elements) {
        return (from, length) -> new Slice(elements, from, length);
    }
}
