package dev.outpost.provider.process.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Files that only the user can read, which appear whole or not at all. */
final class OwnFiles {
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");

    private OwnFiles() {}

    /** Makes a folder, and those above it, unless it is there; one that is there must be the user's alone. */
    static void makeFolders(Path folder) throws IOException {
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(FOLDER));
        if (!Files.getPosixFilePermissions(folder).equals(FOLDER)) {
            throw new IOException(folder + " can be read or changed by others than its owner; chmod 700 it");
        }
    }

    /** Makes a folder that is not there yet. */
    static Path makeFolder(Path folder) throws IOException {
        return Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(FOLDER));
    }

    /** Writes a file, in place of an older one. */
    static void write(Path file, String text) throws IOException {
        Files.move(writeAside(file, text), file, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Writes a file unless there is one: of many who try, one succeeds.
     *
     * @return whether this one did
     */
    static boolean writeFirst(Path file, String text) throws IOException {
        Path aside = writeAside(file, text);
        try {
            Files.createLink(file, aside);
            return true;
        } catch (FileAlreadyExistsException late) {
            return false;
        } finally {
            Files.deleteIfExists(aside);
        }
    }

    private static Path writeAside(Path file, String text) throws IOException {
        Path aside = file.resolveSibling("." + file.getFileName() + "-" + UUID.randomUUID());
        Files.createFile(aside, PosixFilePermissions.asFileAttribute(EnumSet.copyOf(FILE)));
        return Files.writeString(aside, text, StandardOpenOption.WRITE);
    }

    /** The text of a file; nothing where there is none. */
    static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Removes a folder with all that is in it; others may be doing the same, or may just be writing their last into it. */
    static void remove(Path folder) throws IOException {
        while (Files.exists(folder)) {
            empty(folder);
            try {
                Files.deleteIfExists(folder);
            } catch (DirectoryNotEmptyException filledMeanwhile) {
                // It has no name any more by which others would go on filling it.
            }
        }
    }

    private static void empty(Path folder) throws IOException {
        try (Stream<Path> content = Files.list(folder)) {
            for (Path file : content.toList()) {
                // A link is removed, and never followed.
                if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    empty(file);
                }
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException | NotDirectoryException gone) {
            // Somebody else was quicker.
        }
    }
}
