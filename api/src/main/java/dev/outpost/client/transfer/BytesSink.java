package dev.outpost.client.transfer;

import java.nio.ByteBuffer;

/**
 * Keeps elements as the received bytes. The array is allocated when the first bytes arrive, because a fetch may wait
 * for a long time.
 */
public final class BytesSink implements ElementSink {
    private final int length;
    private byte[] bytes;

    public BytesSink(int length) {
        this.length = length;
    }

    @Override
    public void write(int first, ByteBuffer source) {
        source.get(bytes(), first, source.remaining());
    }

    public byte[] bytes() {
        if (bytes == null) {
            bytes = new byte[length];
        }
        return bytes;
    }
}
