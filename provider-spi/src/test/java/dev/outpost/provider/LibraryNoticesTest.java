package dev.outpost.provider;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class LibraryNoticesTest {
    @Test
    void levelThatTheProgramSetIsKept() {
        Logger logger = Logger.getLogger("io.grpc.netty.TcpMetrics");
        logger.setLevel(Level.FINE);
        LibraryNotices.silence();
        assertEquals(Level.FINE, logger.getLevel());
        logger.setLevel(null);
        LibraryNotices.silence();
        assertEquals(Level.WARNING, logger.getLevel());
    }

    @Test
    void verbosityThatTheProgramSetIsKept() {
        String before = System.getProperty("slf4j.internal.verbosity");
        System.setProperty("slf4j.internal.verbosity", "INFO");
        try {
            LibraryNotices.silence();
            assertEquals("INFO", System.getProperty("slf4j.internal.verbosity"));
        } finally {
            if (before == null) {
                System.clearProperty("slf4j.internal.verbosity");
            } else {
                System.setProperty("slf4j.internal.verbosity", before);
            }
        }
    }
}
