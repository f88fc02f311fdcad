package dev.outpost.runtime.server.lan;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The folder of what a worker remembers from one start to the next: its key and certificate, and the clients that it is paired
 * with. Only its user can read it.
 */
public record LanState(Path folder) {
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");

    /** Opens a folder, and makes it unless it is there; one that others can read is refused. */
    public static LanState open(Path folder) throws IOException {
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(FOLDER));
        if (!Files.getPosixFilePermissions(folder).equals(FOLDER)) {
            throw new IOException(folder + " can be read or changed by others than its owner; chmod 700 it");
        }
        return new LanState(folder);
    }

    /** Where it is unless something else is said: {@code outpost/worker} among the user's state. */
    public static Path ofUser() {
        String state = System.getenv("XDG_STATE_HOME");
        Path base = state == null || state.isBlank()
                ? Path.of(System.getProperty("user.home"), ".local", "state")
                : Path.of(state);
        return base.resolve("outpost").resolve("worker");
    }

    public Path certificate() {
        return folder.resolve("certificate.pem");
    }

    public Path key() {
        return folder.resolve("key.pem");
    }

    Path paired() {
        return folder.resolve("paired");
    }

    /** Where the code is for who cannot see what the worker prints. */
    Path code() {
        return folder.resolve("pairing-code");
    }

    /** Writes a file, in place of an older one; it appears whole. */
    public void write(Path file, String text) throws IOException {
        Path aside = file.resolveSibling("." + file.getFileName() + "-" + UUID.randomUUID());
        Files.createFile(aside, PosixFilePermissions.asFileAttribute(FILE));
        Files.writeString(aside, text, StandardOpenOption.WRITE);
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Writes down the code that clients are paired by. */
    public void showCode(String code) {
        try {
            write(code(), code + "\n");
        } catch (IOException failure) {
            throw new UncheckedIOException(code() + " cannot be written", failure);
        }
    }

    static Optional<String> read(Path file) throws IOException {
        try {
            return Optional.of(Files.readString(file));
        } catch (NoSuchFileException ignored) {
            return Optional.empty();
        }
    }
}
