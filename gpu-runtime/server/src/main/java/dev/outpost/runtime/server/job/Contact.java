package dev.outpost.runtime.server.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Measures the time since the last answer of the control plane. With it, a host that has lost the connection ends its
 * run before another host begins the next one. Thread-safe.
 */
final class Contact {
    /** A clock in seconds that also counts while the host is suspended, unlike {@link System#nanoTime}. */
    private static final Path UPTIME = Path.of("/proc/uptime");

    private static final double NANOS = 1e9;

    private final LongSupplier nanos;
    private volatile long heard;

    /** @param nanos a clock that also counts while the host is suspended */
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

    /** A request to the control plane, which may be sent several times until an answer arrives. Not thread-safe. */
    final class Question {
        private long asked = nanos.getAsLong();

        /** Records that the request is sent now, for the first time or again. */
        void ask() {
            asked = nanos.getAsLong();
        }

        /** Records the answer. The granted time begins at the last time at which the request was sent. */
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
