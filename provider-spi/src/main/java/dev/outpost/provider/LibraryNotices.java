package dev.outpost.provider;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps libraries from printing what a program without a logging backend has no use for: that SLF4J found no backend, and which
 * sockets gRPC found. Settings of the program win. Has to be called before the first logger is made; calling it again changes nothing.
 */
public final class LibraryNotices {
    private static final String SLF4J_VERBOSITY = "slf4j.internal.verbosity";
    private static final String SLF4J_PROVIDER = "slf4j.provider";
    private static final String SLF4J_SERVICE = "META-INF/services/org.slf4j.spi.SLF4JServiceProvider";

    /** Kept, since the logging system forgets the level of a logger that nothing refers to. */
    private static final Logger GRPC_SOCKETS = Logger.getLogger("io.grpc.netty.TcpMetrics");

    private LibraryNotices() {}

    /** Silences them. */
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
