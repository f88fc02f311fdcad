package dev.outpost.cli.shell;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/** The private files of one session: its key, the names of its variables, and the lock of the JShell that uses it. */
final class SessionFiles {
    private static final FileAttribute<?> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final String name;
    private final Path folder;

    /** @param folder the folder of all sessions of the user */
    SessionFiles(Path folder, String name) {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")) {
            throw new IllegalArgumentException(
                    "session: expected a name of letters, digits, dots, dashes and underscores, got \"" + name + '"');
        }
        this.folder = folder;
        this.name = name;
    }

    String name() {
        return name;
    }

    /**
     * Takes the session for this process, until it ends.
     *
     * @throws IllegalStateException if another process has it
     */
    FileLock lock() {
        try {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            FileChannel file = FileChannel.open(
                    file("lock"), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), PRIVATE);
            FileLock lock = file.tryLock();
            if (lock == null) {
                file.close();
                throw new IllegalStateException(
                        "session " + name + " is in use by another JShell; end that one first, or choose another name");
            }
            return lock;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Returns the key; empty if there is no session of this name. */
    Optional<String> key() {
        try {
            return Files.exists(file("key")) ? Optional.of(Files.readString(file("key"))) : Optional.empty();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Replaces the key. Only this user can read it. */
    void key(String key) {
        write("key", key + "\n");
    }

    /** Replaces the names of the variables, which the next JShell declares. */
    void variables(Collection<String> names) {
        write("variables", names.isEmpty() ? "" : String.join("\n", names) + "\n");
    }

    void remove() {
        try {
            Files.deleteIfExists(file("key"));
            Files.deleteIfExists(file("variables"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void write(String kind, String text) {
        try {
            Path next = Files.createTempFile(folder, "." + name, ".new", PRIVATE);
            Files.writeString(next, text);
            Files.move(next, file(kind), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Path file(String kind) {
        return folder.resolve(name + "." + kind);
    }
}
