package dev.outpost.provider.process.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
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
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;

/**
 * Reads and writes files that only this user can read. A file is replaced as a whole, so no reader finds a part of
 * it.
 */
final class OwnFiles {
    private static final int MAX = 64 << 10;

    /** The command that removes a folder. It restores the permissions first, because a job may have removed them. */
    private static final String REMOVE = "rm -rf -- \"$0\" || { chmod -R u+rwx -- \"$0\"; rm -rf -- \"$0\"; }";

    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> FOLDER = PosixFilePermissions.fromString("rwx------");

    private static final Set<PosixFilePermission> PASSAGE =
            Set.of(PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);

    private static final Duration REMOVAL = Duration.ofSeconds(5);

    /** The running removals, by folder. Guarded by itself. */
    private static final Map<Path, Process> REMOVALS = new HashMap<>();

    private OwnFiles() {}

    /** Allows other users to reach their own files in a folder, but not to list it. */
    static void letPass(Path folder) throws IOException {
        Set<PosixFilePermission> rights = EnumSet.copyOf(FOLDER);
        rights.addAll(PASSAGE);
        Files.setPosixFilePermissions(folder, rights);
    }

    /** Allows another user, if given, to list a folder, because a JVM lists its working folder. */
    static void letList(Path folder, OptionalInt user) throws IOException {
        if (user.isPresent()) {
            Files.setAttribute(folder, "unix:gid", user.getAsInt(), LinkOption.NOFOLLOW_LINKS);
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-x---"));
        }
    }

    /**
     * Changes the owner of a file or folder to another user, if given. The parent folder must not belong to that
     * user.
     */
    static void give(Path file, OptionalInt user) throws IOException {
        if (user.isPresent()) {
            Files.setAttribute(file, "unix:gid", user.getAsInt(), LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(file, "unix:uid", user.getAsInt(), LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** Makes a folder and its parents unless they exist. Refuses an existing folder that others can read or change. */
    static void makeFolders(Path folder) throws IOException {
        Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(FOLDER));
        Set<PosixFilePermission> rights = EnumSet.copyOf(Files.getPosixFilePermissions(folder));
        rights.removeAll(PASSAGE);
        if (!rights.equals(FOLDER)) {
            throw new IOException(folder + " can be read or changed by others than its owner; chmod 700 it");
        }
    }

    /** Makes a new folder; fails if it exists. */
    static Path makeFolder(Path folder) throws IOException {
        return Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(FOLDER));
    }

    /** Writes a file, which replaces an existing one. */
    static void write(Path file, String text) throws IOException {
        write(file, text, OptionalInt.empty());
    }

    /** Writes a file that another user may read, which replaces an existing one. */
    static void write(Path file, String text, OptionalInt user) throws IOException {
        Path aside = writeAside(file, text);
        give(aside, user);
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /**
     * Writes a file unless it exists. If several processes try, one succeeds.
     *
     * @return true if this call wrote it
     */
    static boolean writeFirst(Path file, String text) throws IOException {
        Path aside = writeAside(file, text);
        try {
            Files.createLink(file, aside);
            return true;
        } catch (FileAlreadyExistsException ignored) {
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

    /** Returns the text of a file; empty if it does not exist. */
    static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (NoSuchFileException ignored) {
            return Optional.empty();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Returns the first bytes of a file that a machine writes, as text; empty if it does not exist. */
    static Optional<String> readStart(Path file) {
        return read(file, size -> 0);
    }

    /** Returns the last bytes of a file that a machine writes, as text; empty if it does not exist. */
    static Optional<String> readEnd(Path file) {
        return read(file, size -> Math.max(0, size - MAX));
    }

    private static Optional<String> read(Path file, LongUnaryOperator start) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(MAX, channel.size()));
            channel.read(bytes, start.applyAsLong(channel.size()));
            return Optional.of(new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8));
        } catch (NoSuchFileException ignored) {
            return Optional.empty();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Removes a folder that a job wrote into. Other processes of the job's organisation may still change it, so a
     * program that never follows a link removes it. If a job left very many files, the program continues in the
     * background.
     */
    static void removeForeign(Path folder) throws IOException {
        remove(folder, List.of("/bin/sh", "-c", REMOVE, folder.toString()), REMOVAL);
    }

    /** @param timeout the maximum wait of the caller */
    static void remove(Path folder, List<String> command, Duration timeout) throws IOException {
        try {
            Process removal = removal(folder, command);
            if (removal.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS) && removal.exitValue() != 0) {
                throw new IOException(folder + " cannot be removed");
            }
        } catch (InterruptedException interrupted) {
            // The folder is hidden already, and a later cleanup removes it.
            Thread.currentThread().interrupt();
        }
    }

    /** Starts the removal of a folder unless one is running. */
    private static Process removal(Path folder, List<String> command) throws IOException {
        synchronized (REMOVALS) {
            REMOVALS.values().removeIf(removal -> !removal.isAlive());
            Process removal = REMOVALS.get(folder);
            if (removal == null) {
                removal = new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                REMOVALS.put(folder, removal);
            }
            return removal;
        }
    }

    /** Removes a folder with its content, while other processes may do the same or still write into it. */
    static void remove(Path folder) throws IOException {
        while (Files.exists(folder)) {
            empty(folder);
            try {
                Files.deleteIfExists(folder);
            } catch (DirectoryNotEmptyException ignored) {
                // Another process has written into the folder meanwhile. Try again: it cannot find the renamed folder
                // again.
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
        } catch (NoSuchFileException | NotDirectoryException ignored) {
            // Another process has removed it already.
        }
    }
}
