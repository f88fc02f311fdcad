package dev.outpost.protocol.bytes;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Bytes that came, where they lie: in an array of ours, or still in the network's buffers, which lends them until whoever
 * was handed them returns.
 */
public sealed interface Bytes permits Slice, Pieces {
    /**
     * Frames as the network has them.
     *
     * @param lent the bytes from each buffer's position to its limit, one behind the other; not moved
     */
    static Bytes of(ByteBuffer... lent) {
        if (lent.length == 1 && lent[0].hasArray()) {
            ByteBuffer only = lent[0];
            return new Slice(only.array(), only.arrayOffset() + only.position(), only.remaining());
        }
        return Pieces.of(lent);
    }

    int length();

    /** A copy of the bytes. */
    byte[] toByteArray();

    /**
     * Hands over all bytes in their order, in buffers that hold whole units, little-endian, and are good until the call
     * returns.
     *
     * @param unit how many bytes belong together; the length is a multiple of it
     */
    void forEach(int unit, Consumer<ByteBuffer> receiver);
}
