package dev.outpost.channel;

import java.io.IOException;

/** Opens connections to one machine, as many in a row as reconnecting takes. */
public interface FrameConnector {
    /**
     * Makes one attempt at a connection.
     *
     * @param listener hears of everything that comes, possibly before this method returns
     * @throws AccessRefusedException when the machine does not let this client in, and never will
     * @throws IOException when the machine does not answer; another attempt may succeed
     */
    FrameChannel open(FrameListener listener) throws IOException;
}
