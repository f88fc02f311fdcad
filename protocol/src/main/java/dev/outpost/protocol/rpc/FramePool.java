package dev.outpost.protocol.rpc;

import dev.outpost.protocol.bytes.Slice;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * The arrays that frames are put into as they come. Used again and again, they stay in the processor's cache and out of
 * the collector's way; one that is never given back is only garbage.
 */
public final class FramePool {
    /** A frame of bulk data fits; what is larger is rare and gets an array of its own. */
    static final int ARRAY_BYTES = 128 << 10;

    /** Smaller ones are not worth the trouble. */
    private static final int WORTH_BYTES = 16 << 10;

    private final Queue<byte[]> free;

    /** @param most how many arrays it keeps: as many as there are calls at once */
    public FramePool(int most) {
        free = new ArrayBlockingQueue<>(most);
    }

    /** An array of at least that length. */
    byte[] take(int length) {
        if (length < WORTH_BYTES || length > ARRAY_BYTES) {
            return new byte[length];
        }
        byte[] kept = free.poll();
        return kept == null ? new byte[ARRAY_BYTES] : kept;
    }

    /** Takes back what a frame that came was put into; nobody looks at it any more. */
    public void give(Slice content) {
        if (content.array().length == ARRAY_BYTES) {
            free.offer(content.array());
        }
    }
}
