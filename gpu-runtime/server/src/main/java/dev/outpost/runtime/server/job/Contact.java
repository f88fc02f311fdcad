package dev.outpost.runtime.server.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long ago the control plane was last heard. A host that is cut off ends its run by it, before another host begins the next one.
 * Thread-safe.
 */
final class Contact {
    /** Counts seconds also while the host is suspended, as {@link System#nanoTime} does not. */
    private static final Path UPTIME = Path.of("/proc/uptime");

    private static final double NANOS = 1e9;

    private final LongSupplier nanos;
    private volatile long heard;

    /** @param nanos a clock that goes on while the host is suspended */
    Contact(LongSupplier nanos) {
        this.nanos = nanos;
        this.heard = nanos.getAsLong();
    }

    static Contact ofThisHost() {
        return new Contact(Contact::uptime);
    }

    private static long uptime() {
        try {
            String text = Files.readString(UPTIME);
            return (long) (Double.parseDouble(text.substring(0, text.indexOf(' '))) * NANOS);
        } catch (IOException ignored) {
            return System.nanoTime();
        }
    }

    /** A question to the control plane, which may be asked several times until there is an answer. For one thread. */
    final class Question {
        private long asked = nanos.getAsLong();

        /** It is asked now, perhaps once more. */
        void ask() {
            asked = nanos.getAsLong();
        }

        /** The control plane has answered: what it granted counts from when it was asked last. */
        void answered() {
            heard = asked;
        }
    }

    Question question() {
        return new Question();
    }

    Duration silence() {
        return Duration.ofNanos(nanos.getAsLong() - heard);
    }
}
