package dev.outpost.channel;

import java.io.IOException;

/** The machine, or the way to it, does not let this client in, and another attempt would not end otherwise. */
public final class RefusedException extends IOException {
    public RefusedException(String message) {
        super(message);
    }

    public RefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
