package dev.outpost.backend.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/**
 * The file by which a PostgreSQL server marks its data folder as taken. After a crash of the host another program may have the process id
 * in it, and then the server would refuse to start.
 */
final class StalePid {
    private static final String FILE = "postmaster.pid";
    private static final int PORT_LINE = 3;

    private StalePid() {}

    /** Returns the port of the server that runs on this folder, if any. */
    static OptionalInt port(Path database) throws IOException {
        Path file = database.resolve(FILE);
        if (!Files.exists(file)) {
            return OptionalInt.empty();
        }
        List<String> lines = Files.readAllLines(file);
        if (lines.size() <= PORT_LINE || !isServerOf(database, lines.getFirst().strip())) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(Integer.parseInt(lines.get(PORT_LINE).strip()));
    }

    static void clear(Path database) throws IOException {
        Files.deleteIfExists(database.resolve(FILE));
    }

    /** True if the command line of the process names this folder, so that it is the server of the folder. */
    private static boolean isServerOf(Path database, String pid) throws IOException {
        Path commandLine = Path.of("/proc", pid, "cmdline");
        if (!pid.matches("\\d+") || !Files.isReadable(commandLine)) {
            return false;
        }
        try {
            return List.of(Files.readString(commandLine).split("\0")).contains(database.toString());
        } catch (IOException ignored) {
            return false;
        }
    }
}
