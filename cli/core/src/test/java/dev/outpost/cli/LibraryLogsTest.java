package dev.outpost.cli;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;

@Tag("quick")
class LibraryLogsTest {
    @BeforeEach
    void silence() {
        LibraryLogs.silence();
    }

    /** Vert.x uses java.util.logging if SLF4J has no backend. */
    @Test
    void theCommandLineKeepsNoLog() {
        assertInstanceOf(NOPLoggerFactory.class, LoggerFactory.getILoggerFactory());
    }

    @Test
    void blockedThreadsAreNotToldOf() {
        assertFalse(isLoggable("io.vertx.core.impl.BlockedThreadChecker", Level.SEVERE));
    }

    @Test
    void brokenConnectionsAreNotToldOf() {
        assertFalse(isLoggable("io.vertx.core.net.impl.ConnectionBase", Level.SEVERE));
    }

    @Test
    void warningsOfGrpcAreShown() {
        assertTrue(isLoggable("io.grpc.internal.ManagedChannelImpl", Level.WARNING));
        assertFalse(isLoggable("io.grpc.internal.ManagedChannelImpl", Level.INFO));
    }

    private static boolean isLoggable(String logger, Level level) {
        return Logger.getLogger(logger).isLoggable(level);
    }
}
