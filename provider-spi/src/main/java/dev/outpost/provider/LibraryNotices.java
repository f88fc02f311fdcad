package dev.outpost.provider;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Silences notices of libraries that do not help a program without a logging backend: SLF4J's notice that it found no backend, and
 * gRPC's notice about its sockets. Settings of the program take precedence. Call this before the first logger is made; calling it again
 * does nothing.
 */
public final class LibraryNotices {
    private static final String SLF4J_VERBOSITY = "slf4j.internal.verbosity";
    private static final String SLF4J_PROVIDER = "slf4j.provider";
    private static final String SLF4J_SERVICE = "META-INF/services/org.slf4j.spi.SLF4JServiceProvider";

    /** Kept in a field, because the logging system forgets the level of a logger without references. */
    private static final Logger GRPC_SOCKETS = Logger.getLogger("io.grpc.netty.TcpMetrics");

    private LibraryNotices() {}

    /** Silences the notices. */
    public static void silence() {
        boolean isSet = System.getProperty(SLF4J_VERBOSITY) != null || System.getProperty(SLF4J_PROVIDER) != null;
        if (!isSet && LibraryNotices.class.getClassLoader().getResource(SLF4J_SERVICE) == null) {
            System.setProperty(SLF4J_VERBOSITY, "ERROR");
        }
        if (GRPC_SOCKETS.getLevel() == null) {
            GRPC_SOCKETS.setLevel(Level.WARNING);
        }
    }
}
