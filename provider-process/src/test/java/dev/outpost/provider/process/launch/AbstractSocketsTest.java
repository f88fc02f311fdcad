package dev.outpost.provider.process.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AbstractSocketsTest {
    private static final String HEAD = "Num       RefCount Protocol Flags    Type St Inode Path\n";
    private static final String BUS = "0000000000000000: 00000002 00000000 00010000 0001 01 4711 @/tmp/dbus-Xy1\n";

    @TempDir
    Path proc;

    @BeforeEach
    void makeProcess() throws IOException {
        Files.createDirectories(proc.resolve("net"));
        Path files = Files.createDirectories(proc.resolve("77").resolve("fd"));
        Files.createSymbolicLink(files.resolve("3"), Path.of("socket:[4711]"));
        Files.createSymbolicLink(files.resolve("4"), Path.of("socket:[4712]"));
        // The process has ended, or belongs to another user.
        Files.createDirectories(proc.resolve("78"));
    }

    private Optional<String> found(String sockets) throws IOException {
        Files.writeString(proc.resolve("net").resolve("unix"), HEAD + sockets);
        return AbstractSockets.ofThisUser(proc);
    }

    @Test
    void socketOfThisUserIsNamed() throws IOException {
        assertEquals(Optional.of("@/tmp/dbus-Xy1"), found(BUS));
    }

    @Test
    void socketsOfOthersWithFilesAndWithoutListenersAreNone() throws IOException {
        assertEquals(Optional.empty(), found(BUS.replace("4711", "9999")));
        assertEquals(Optional.empty(), found(BUS.replace("@/tmp", "/tmp")));
        assertEquals(Optional.empty(), found(BUS.replace("00010000", "00000000")));
        assertEquals(Optional.empty(), found("0000000000000000: 00000003 00000000 00000000 0001 03 4712\n"));
        assertEquals(Optional.empty(), found(""));
        Files.delete(proc.resolve("net").resolve("unix"));
        assertEquals(Optional.empty(), AbstractSockets.ofThisUser(proc));
    }
}
