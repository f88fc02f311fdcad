package dev.outpost.client.transfer;

/** Where the elements of an upload come from, row-major and little-endian, piece by piece as they are sent. */
@FunctionalInterface
public interface ElementSource {
    /** Copies {@code length} bytes, whole elements, from byte {@code first} on. */
    void read(int first, byte[] target, int at, int length);

    /** Whether nobody changes the elements any more: then they can be read at any time. */
    default boolean isFixed() {
        return false;
    }

    /** Elements that nobody changes any more. */
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
