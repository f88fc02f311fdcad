package dev.outpost.channel.http;

import java.io.IOException;

/** A body has more bytes than it may have. */
public final class TooLongException extends IOException {
    private static final long serialVersionUID = 1;

    TooLongException(long most) {
        super("the answer is longer than the " + most + " bytes that were expected");
    }
}
