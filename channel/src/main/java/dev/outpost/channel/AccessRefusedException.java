package dev.outpost.channel;

import java.io.IOException;

/** The machine, or the way to it, does not let this client in, and another attempt would not end otherwise. */
public final class AccessRefusedException extends IOException {
    public AccessRefusedException(String message) {
        super(message);
    }

    public AccessRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
