package dev.outpost.channel;

import java.io.IOException;

/** The machine, or a proxy in front of it, refuses this client; a retry would be refused too. */
public final class AccessRefusedException extends IOException {
    public AccessRefusedException(String message) {
        super(message);
    }

    public AccessRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
