package dev.outpost.channel.delivery;

import dev.outpost.protocol.bytes.Payload;
import dev.outpost.types.OutpostException;

/**
 * A source of payloads for a lane. The lane takes them one by one when it has room, on the thread that reports the room, so no other
 * thread is woken. Called under the lane's lock, so implementations must not block.
 */
public interface PayloadSource {
    /**
     * Returns true if the next payload is known. If not, the source later calls {@link ReliableLane#ready}, and the lane asks again.
     */
    default boolean isReady() {
        return true;
    }

    /** Returns the next payload, or null if none is left. Called only if {@link #isReady} is true. */
    Payload next();

    /** Called when the lane has taken all payloads. */
    void taken();

    /** Called when the lane has ended. It takes no more payloads. */
    void ended(OutpostException reason);
}
