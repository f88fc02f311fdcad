package dev.outpost.cli;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The lines that libraries write to java.util.logging, which prints them to standard error. Vert.x does so where SLF4J
 * keeps no log, as here: of connections that break and of its own threads that were busy for long. What fails by it is
 * told by the command.
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
