package dev.outpost.channel.http;

import java.net.http.HttpTimeoutException;

/** Thrown if a body is slower than its {@link Pace}. */
public final class StalledException extends HttpTimeoutException {
    private static final long serialVersionUID = 1;

    public StalledException(Pace pace) {
        super("the answer stalled: less than " + pace.bytes() + " bytes came within "
                + (pace.time().toMillisPart() == 0
                        ? pace.time().toSeconds() + " s"
                        : pace.time().toMillis() + " ms"));
    }
}
