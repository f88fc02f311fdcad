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
 * The folder in which a worker keeps its key, its certificate and the list of paired clients from one start to the next. Only
 * its user can read it.
 */
public record LanState(Path folder) {
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");

    /** Opens a folder, and creates it if it does not exist. Refuses a folder that other users can read. */
    public static LanState open(Path folder) throws IOException {
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(FOLDER));
        if (!Files.getPosixFilePermissions(folder).equals(FOLDER)) {
            throw new IOException(folder + " can be read or changed by others than its owner; chmod 700 it");
        }
        return new LanState(folder);
    }

    /** Returns the default location: {@code outpost/worker} in the user's state folder. */
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

    /** Returns the file with the pairing code, for users who cannot see the worker's output. */
    Path code() {
        return folder.resolve("pairing-code");
    }

    /** Writes or replaces a file atomically. */
    public void write(Path file, String text) throws IOException {
        Path aside = file.resolveSibling("." + file.getFileName() + "-" + UUID.randomUUID());
        Files.createFile(aside, PosixFilePermissions.asFileAttribute(FILE));
        Files.writeString(aside, text, StandardOpenOption.WRITE);
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Writes the pairing code to its file. */
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
