package dev.outpost.client.transfer;

/** Supplies the elements of an upload, row-major and little-endian, piece by piece as they are sent. */
@FunctionalInterface
public interface ElementSource {
    /** Copies {@code length} bytes, whole elements, beginning at byte {@code first}. */
    void read(int first, byte[] target, int at, int length);

    /** Returns true if the elements never change any more, so that they can be read at any time. */
    default boolean isFixed() {
        return false;
    }

    /** Returns a source of elements that must not change any more. */
    static ElementSource of(byte[] elements) {
        return new ElementSource() {
            @Override
            public void read(int first, byte[] target, int at, int length) {
                System.arraycopy(elements, first, target, at, length);
            }

            @Override
            public boolean isFixed() {
                return true;
            }
        };
    }
}
