package dev.outpost.channel.delivery;

import dev.outpost.protocol.bytes.Payload;
import dev.outpost.types.OutpostException;

/**
 * Payloads that a lane asks for one by one, as it has room for them, on the threads that tell it of room: nobody is woken
 * for each. Called under the lane's lock, so nothing here may block.
 */
public interface PayloadSource {
    /** Whether it can say what is next. Where not, it asks the lane by {@link ReliableLane#ready} to come again. */
    default boolean isReady() {
        return true;
    }

    /** The next payload, or null when there is none left. Asked when it {@link #isReady}. */
    Payload next();

    /** The lane has taken all. */
    void taken();

    /** The lane takes nothing more. */
    void ended(OutpostException reason);
}
