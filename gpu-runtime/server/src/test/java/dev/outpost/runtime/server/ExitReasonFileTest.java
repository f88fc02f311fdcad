package dev.outpost.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.outpost.runtime.session.RuntimeTermination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class ExitReasonFileTest {
    private static final RuntimeTermination TERMINATION =
            new RuntimeTermination(RuntimeTermination.Kind.IDLE, "no instruction arrived for 10 min");

    @Test
    void holdsOneLine(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("end"), "what an earlier one left, which was longer than this is");
        ExitReasonFile.at(file).write(TERMINATION);
        assertEquals("idle: no instruction arrived for 10 min\n", Files.readString(file));
    }

    @Test
    void unwritableEndFileIsIgnored(@TempDir Path folder) {
        Path nowhere = folder.resolve("missing").resolve("end");
        ExitReasonFile.at(nowhere).write(TERMINATION);
        assertFalse(Files.exists(nowhere));
        ExitReasonFile.at(null).write(TERMINATION);
    }
}
