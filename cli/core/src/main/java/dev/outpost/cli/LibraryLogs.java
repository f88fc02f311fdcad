package dev.outpost.cli;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Silences libraries that write to java.util.logging, which prints to standard error. Without a backend of SLF4J,
 * Vert.x writes there, about broken connections and about its own busy threads. The command itself reports the
 * failures that result from them.
 */
final class LibraryLogs {
    /** Kept in a field, since the logging system forgets the level of a logger without strong references. */
    private static final Logger GRPC = Logger.getLogger("io.grpc");

    private static final Logger VERTX = Logger.getLogger("io.vertx");

    private LibraryLogs() {}

    static void silence() {
        GRPC.setLevel(Level.WARNING);
        VERTX.setLevel(Level.OFF);
    }
}
