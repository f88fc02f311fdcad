package dev.outpost.bench.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgramProcessTest {
    @Test
    void linesUpToTheLastAreRead() throws IOException {
        Process process = start("echo 'api    http://here'; echo 'ready with 2 models'; exec sleep 600");
        assertEquals(
                Map.of("api", "http://here", "ready", "with 2 models"),
                ProgramProcess.announced(process, "ready", "it ended"));
        ProgramProcess.end(process, Duration.ofMinutes(1));
        assertFalse(process.isAlive());
    }

    @Test
    void programThatEndsBeforeTheLastLineIsAProblem() throws IOException {
        Process process = start("echo 'api http://here'");
        IOException failure =
                assertThrows(IOException.class, () -> ProgramProcess.announced(process, "ready", "it ended"));
        assertEquals("it ended", failure.getMessage());
    }

    private static Process start(String script) throws IOException {
        return new ProcessBuilder("sh", "-c", script).start();
    }
}
