package dev.outpost.runtime.session;

import dev.outpost.channel.delivery.ReliableLane;

/**
 * The way to the client over one connection. Neither method blocks or throws: both are called under locks, and a
 * connection that is gone drops what it is given.
 */
public interface FrameOutput extends ReliableLane.Output {
    /** Ends the connection once what was sent before has gone out. */
    void close(String reason);
}
