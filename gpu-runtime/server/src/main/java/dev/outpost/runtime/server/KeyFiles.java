package dev.outpost.runtime.server;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Waits for the files of the machine's key, which may appear shortly after the start, because an orchestrator may
 * fill volumes later. The time for all files together is limited to the time that a client would wait.
 */
final class KeyFiles {
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Duration timeout;
    private final LongSupplier clock;
    private final long start;

    /** @param clock a monotonic clock in nanoseconds; the timeout runs from here */
    KeyFiles(Duration timeout, LongSupplier clock) {
        this.timeout = timeout;
        this.clock = clock;
        this.start = clock.getAsLong();
    }

    /** Waits until a file exists and is not empty, and returns it. */
    Path await(Path file) throws IOException {
        while (!isThere(file)) {
            if (clock.getAsLong() - start > timeout.toNanos()) {
                throw new IOException("no key arrived: " + file + " was missing or empty for " + timeout.toMillis()
                        + " ms; the program that starts the machine must send it");
            }
            pause();
        }
        return file;
    }

    static boolean isThere(Path file) {
        return file.toFile().length() > 0;
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("told to stop while waiting for a key", interrupted);
        }
    }
}
