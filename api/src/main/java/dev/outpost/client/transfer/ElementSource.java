package dev.outpost.client.transfer;

/** Supplies the elements of an upload, row-major and little-endian, piece by piece as they are sent. */
@FunctionalInterface
public interface ElementSource {
    /** Copies {@code length} bytes, which are whole elements, from byte {@code first} on. */
    void read(int first, byte[] target, int at, int length);

    /** Returns true if the elements will not change, so that they can be read at any time. */
    default boolean isFixed() {
        return false;
    }

    /** Returns a source of elements that must not change from now on. */
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
