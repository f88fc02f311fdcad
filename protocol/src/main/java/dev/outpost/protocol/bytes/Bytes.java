package dev.outpost.protocol.bytes;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Received bytes, in an array or still in the network's buffers. The network lends its buffers until the receiving
 * method returns.
 */
public sealed interface Bytes permits Slice, Pieces {
    /**
     * Wraps frames in the network's buffers without a copy.
     *
     * @param lent the buffers in order; each is read from its position to its limit, which do not change
     */
    static Bytes of(ByteBuffer... lent) {
        if (lent.length == 1 && lent[0].hasArray()) {
            ByteBuffer only = lent[0];
            return new Slice(only.array(), only.arrayOffset() + only.position(), only.remaining());
        }
        return Pieces.of(lent);
    }

    int length();

    /** Returns a copy of the bytes. */
    byte[] toByteArray();

    /**
     * Passes all bytes in their order, in little-endian buffers that hold whole units and are valid until the call returns.
     *
     * @param unit the number of bytes that belong together; the length is a multiple of it
     */
    void forEach(int unit, Consumer<ByteBuffer> receiver);
}
