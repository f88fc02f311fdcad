package dev.outpost.runtime.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class KeyFilesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final AtomicLong clock = new AtomicLong();

    @Test
    void presentFilesAreReadAtOnce() throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "secret");
        KeyFiles files = new KeyFiles(TIMEOUT, clock::get);
        clock.set(TIMEOUT.toNanos() + 1);
        assertEquals(file, files.await(file));
    }

    /** The clock is read while there is no file, and this clock then creates the file. */
    @Test
    void lateFilesAreAwaited() throws IOException {
        Path file = Files.createFile(folder.resolve("token"));
        KeyFiles files = new KeyFiles(TIMEOUT, () -> {
            if (clock.addAndGet(TIMEOUT.toNanos() / 3) >= TIMEOUT.toNanos()) {
                write(file);
            }
            return clock.get();
        });
        assertEquals(file, files.await(file));
    }

    @Test
    void allTogetherAreWaitedForOnce() throws IOException {
        Path first = Files.writeString(folder.resolve("tls.crt"), "certificate");
        Path second = folder.resolve("tls.key");
        KeyFiles files = new KeyFiles(TIMEOUT, () -> clock.getAndAdd(TIMEOUT.toNanos() / 2 + 1));
        files.await(first);
        IOException none = assertThrows(IOException.class, () -> files.await(second));
        assertEquals(
                "no key arrived: " + second
                        + " was missing or empty for 30000 ms; the program that starts the machine must send it",
                none.getMessage());
    }

    private static void write(Path file) {
        try {
            Files.writeString(file, "secret");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
