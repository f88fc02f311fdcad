package dev.outpost.provider.process.launch;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Finds Unix sockets that have a name and no file. They belong to the network namespace, so a view of the file
 * systems does not hide them. A program that listens there as the control plane's user, such as a desktop's message
 * bus or display, trusts every process of that user, and may start programs for it.
 */
final class AbstractSockets {
    static final Path OF_THIS_HOST = Path.of("/proc");

    private static final String ABSTRACT = "@";
    private static final int LISTENS = 0x10000;
    /** The index of the flags in a line: address, references, protocol, flags, type, state, inode, name. */
    private static final int FLAGS = 3;

    private static final int INODE = 6;
    private static final int NAME = 7;

    private AbstractSockets() {}

    /**
     * Returns the name of a socket at which a process of this user listens; empty if there is none, or if the system
     * does not list sockets.
     *
     * @param proc the folder {@code /proc}
     */
    static Optional<String> ofThisUser(Path proc) {
        try {
            Map<String, String> names = Files.readAllLines(proc.resolve("net").resolve("unix")).stream()
                    .map(line -> line.strip().split("\\s+", NAME + 1))
                    .filter(words -> words.length > NAME && words[NAME].startsWith(ABSTRACT))
                    .filter(words -> (Integer.parseInt(words[FLAGS], 16) & LISTENS) != 0)
                    .collect(Collectors.toMap(
                            words -> "socket:[" + words[INODE] + "]", words -> words[NAME], (a, b) -> a));
            return names.isEmpty() ? Optional.empty() : heldByOwn(proc, names);
        } catch (IOException | DirectoryIteratorException ignored) {
            return Optional.empty();
        }
    }

    private static Optional<String> heldByOwn(Path proc, Map<String, String> names) throws IOException {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path process : processes) {
                Optional<String> held = heldBy(process.resolve("fd"), names);
                if (held.isPresent()) {
                    return held;
                }
            }
        }
        return Optional.empty();
    }

    /** Finds a socket of a process. The files of other users' processes cannot be listed. */
    private static Optional<String> heldBy(Path files, Map<String, String> names) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(files)) {
            for (Path file : all) {
                String name = names.get(Files.readSymbolicLink(file).toString());
                if (name != null) {
                    return Optional.of(name);
                }
            }
        } catch (IOException | DirectoryIteratorException ignored) {
            // The process belongs to another user. Its sockets are ignored, because they check their clients' users.
        }
        return Optional.empty();
    }
}
