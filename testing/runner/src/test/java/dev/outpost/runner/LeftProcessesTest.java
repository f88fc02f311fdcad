package dev.outpost.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class LeftProcessesTest {
    @TempDir
    private Path root;

    /** A shell that starts a process in the background and ends, as a test does. */
    @Test
    void aProcessOfTheTreeThatOutlivesItsParentIsNamed() throws Exception {
        Instant start = Instant.now().minusSeconds(1);
        Process parent =
                new ProcessBuilder("sh", "-c", "tail -f /dev/null " + root + "/file >/dev/null 2>&1 & echo $!").start();
        long left = Long.parseLong(parent.inputReader().readLine());
        assertEquals(0, parent.waitFor());
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            new LeftProcesses(root, start).print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
            String printed = bytes.toString(StandardCharsets.UTF_8);
            assertTrue(printed.contains("  " + left + "  "), printed);
            assertEquals(
                    0, new LeftProcesses(root.resolve("other"), start).find().size());
            Instant later = Instant.now().plusSeconds(60);
            assertEquals(0, new LeftProcesses(root, later).find().size());
        } finally {
            ProcessHandle.of(left).ifPresent(ProcessHandle::destroyForcibly);
        }
        assertFalse(parent.isAlive());
    }
}
