package dev.outpost.backend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.function.Supplier;

/** A secret that is drawn once and kept in a file that only the user can read. */
final class PersistedSecret {
    private PersistedSecret() {}

    /** Returns the secret in the file. Draws a secret and writes it if the file does not exist. */
    static String of(Path file, Supplier<String> draw) throws IOException {
        if (!Files.exists(file)) {
            Files.createDirectories(file.getParent());
            Path half = Files.createTempFile(
                    file.getParent(),
                    file.getFileName().toString(),
                    ".new",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(half, draw.get() + "\n");
            Files.move(half, file);
        }
        return Files.readString(file).strip();
    }
}
