package dev.outpost.client;

/** Elements as the bytes that travelled. The array is made when the first come, since a fetch may wait for long. */
final class BytesSink implements ElementSink {
    private final int length;
    private byte[] bytes;

    BytesSink(int length) {
        this.length = length;
    }

    @Override
    public void write(int first, byte[] source, int from, int count) {
        System.arraycopy(source, from, bytes(), first, count);
    }

    byte[] bytes() {
        if (bytes == null) {
            bytes = new byte[length];
        }
        return bytes;
    }
}
