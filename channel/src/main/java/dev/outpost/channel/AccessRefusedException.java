package dev.outpost.channel;

import java.io.IOException;

/** The machine, or a proxy before it, refuses this client, and would refuse another attempt too. */
public final class AccessRefusedException extends IOException {
    public AccessRefusedException(String message) {
        super(message);
    }

    public AccessRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
