package dev.outpost.provider.process.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnFilesTest {
    @TempDir
    Path folder;

    /** A program that writes a line and waits for a file, as if it had millions of files to remove. */
    private List<String> slow(Path end) {
        return List.of(
                "/bin/sh",
                "-c",
                "echo begun >>\"$0\"; until [ -e \"$1\" ]; do sleep 0.05; done",
                begun().toString(),
                end + "");
    }

    private Path begun() {
        return folder.resolve("begun");
    }

    /** Otherwise a job that leaves many files would delay the work for the machines of all users. */
    @Test
    void removalThatTakesLongHoldsUpNobodyAndIsNotBegunTwice() throws Exception {
        Path end = folder.resolve("end");
        Duration moment = Duration.ofMillis(1);
        try {
            Await.within("the caller goes on", () -> OwnFiles.remove(folder, slow(end), moment));
            Await.within("the caller goes on", () -> OwnFiles.remove(folder, slow(end), moment));
            Await.until("it has begun", () -> Files.exists(begun()));
            assertEquals(List.of("begun"), Files.readAllLines(begun()));
        } finally {
            Files.createFile(end);
        }
        OwnFiles.remove(folder, List.of("/bin/true"), Await.GUARD);
    }

    @Test
    void removalThatFailsIsTold() {
        assertThrows(IOException.class, () -> OwnFiles.remove(folder, List.of("/bin/false"), Await.GUARD));
    }
}
