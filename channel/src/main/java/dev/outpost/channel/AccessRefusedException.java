package dev.outpost.channel;

import java.io.IOException;

/** Thrown if the machine, or a proxy in front of it, refuses this client. It would refuse a retry too. */
public final class AccessRefusedException extends IOException {
    public AccessRefusedException(String message) {
        super(message);
    }

    public AccessRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
