package dev.outpost.channel;

import java.io.IOException;

/** Opens connections to one machine: one at first, and another for each reconnect. */
public interface FrameConnector {
    /**
     * Makes one attempt at a connection.
     *
     * @param listener receives all frames and events, possibly before this method returns
     * @throws AccessRefusedException if the machine refuses this client permanently
     * @throws IOException if the machine does not answer; another attempt may succeed
     */
    FrameChannel open(FrameListener listener) throws IOException;
}
