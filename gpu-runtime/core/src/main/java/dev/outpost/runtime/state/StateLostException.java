package dev.outpost.runtime.state;

import java.io.IOException;

/** A part of a state is missing from the store, or its content was changed. Another attempt fails too, unlike after other failures of I/O. */
public final class StateLostException extends IOException {
    private static final long serialVersionUID = 1;

    StateLostException(String message) {
        super(message);
    }

    StateLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
