package dev.outpost.channel.http;

import java.io.IOException;

/** Thrown if a body has more bytes than allowed. */
public final class TooLongException extends IOException {
    private static final long serialVersionUID = 1;

    TooLongException(long max) {
        super("the answer is longer than the " + max + " bytes that were expected");
    }
}
