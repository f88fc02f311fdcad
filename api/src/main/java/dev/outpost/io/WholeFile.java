package dev.outpost.io;

import dev.outpost.client.calls.ArgumentChecks;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** A file that appears only when it is complete. Until then it has another name in the same folder. */
final class WholeFile {
    /** Writes the bytes. */
    @FunctionalInterface
    interface Content {
        void write(OutputStream out) throws IOException;
    }

    private WholeFile() {}

    static void write(Path file, Content content) throws IOException {
        Path target = ArgumentChecks.required(file, "the file").toAbsolutePath();
        Path part = target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID() + ".part");
        try {
            try (OutputStream out = new BufferedOutputStream(
                    Files.newOutputStream(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
                content.write(out);
            }
            move(part, target);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void move(Path part, Path target) throws IOException {
        try {
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException ignored) {
            Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
