package dev.outpost.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backend does not start with an authority that no runner could use. */
@Tag("quick")
class RunnerAuthorityTest {
    @TempDir
    private Path folder;

    private String refusal(Path file) {
        return assertThrows(IOException.class, () -> RunnerAuthority.of(Optional.of(file)))
                .getMessage();
    }

    @Test
    void fileThatIsMissingIsNamedWithTheRemedy() {
        String refusal = refusal(folder.resolve("ca.crt"));
        assertTrue(refusal.startsWith("OUTPOST_BACKEND_JOBS_AUTHORITY: " + folder.resolve("ca.crt")), refusal);
        assertTrue(refusal.contains("unset the variable"), refusal);
    }

    @Test
    void fileWithoutACertificateIsRefused() throws IOException {
        Path empty = Files.createFile(folder.resolve("ca.crt"));
        assertEquals("OUTPOST_BACKEND_JOBS_AUTHORITY: " + empty + " holds no certificate in PEM", refusal(empty));
    }

    @Test
    void thereNeedsToBeNone() throws IOException {
        assertEquals(Optional.empty(), RunnerAuthority.of(Optional.empty()));
    }
}
