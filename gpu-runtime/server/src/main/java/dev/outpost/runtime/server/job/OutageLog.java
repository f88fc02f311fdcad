package dev.outpost.runtime.server.job;

import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Prints the reason why the backend does not answer: immediately, whenever the reason changes, and every half minute.
 * Thread-safe.
 */
final class OutageLog {
    /** The prefix of a runner's log lines, by which providers find these lines. */
    static final String PREFIX = "job: ";

    private static final Duration REPEAT = Duration.ofSeconds(30);

    private final URI backend;
    private final PrintStream out;
    private final LongSupplier nanos;
    private String reason = "";
    private long printed;

    /** @param nanos a clock such as {@link System#nanoTime} */
    OutageLog(URI backend, PrintStream out, LongSupplier nanos) {
        this.backend = backend;
        this.out = out;
        this.nanos = nanos;
    }

    synchronized void failed(String why) {
        long now = nanos.getAsLong();
        if (!why.equals(reason) || now - printed >= REPEAT.toNanos()) {
            out.println(PREFIX + "cannot reach the backend at " + backend + ": " + why + "; it is tried again");
            reason = why;
            printed = now;
        }
    }

    synchronized void answered() {
        if (!reason.isEmpty()) {
            out.println(PREFIX + "the backend at " + backend + " answers again");
            reason = "";
        }
    }

    /**
     * Returns the messages of a failure and its causes without repetitions; the class name if there is no message.
     */
    static String text(Throwable failure) {
        Set<String> texts = new LinkedHashSet<>();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            texts.add(message == null || message.isBlank() ? cause.getClass().getSimpleName() : message);
        }
        return String.join(": ", texts).replaceAll("\\s+", " ");
    }
}
