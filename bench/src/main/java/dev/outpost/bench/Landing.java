package dev.outpost.bench;

import dev.outpost.channel.rpc.WireFrame;
import java.nio.ByteBuffer;

/** The destination of a plain stream's data: a reused array, so that it stays in the processor's cache. */
final class Landing {
    private final byte[] array = new byte[2 * RawServer.MESSAGE_BYTES];

    /** Copies a frame out of the network's buffers. Returns its length. */
    int take(WireFrame frame) {
        int filled = 0;
        for (ByteBuffer piece : frame.content()) {
            int count = piece.remaining();
            piece.get(array, filled, count);
            filled += count;
        }
        frame.release();
        return filled;
    }
}
