package dev.outpost.provider.process.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folder of all machines of a user on this host. Each machine has a folder in it, with the machine's name. */
public final class StateFolder {
    private static final Logger LOG = LoggerFactory.getLogger(StateFolder.class);

    /** The prefix of entries that are not machines. */
    static final String HIDDEN = ".";

    private static final String LOCK = HIDDEN + "lock";

    /** The age above which a hidden entry counts as left behind by a process that died. */
    private static final Duration LEFT_BEHIND = Duration.ofMinutes(1);

    /** Excludes other threads of this JVM: a file lock belongs to the whole JVM. */
    private static final ReentrantLock OF_THIS_JVM = new ReentrantLock();

    private final Path path;

    public StateFolder(Path path) {
        this.path = path;
    }

    public Path path() {
        return path;
    }

    /** Finds a machine by its name. */
    public Optional<MachineFolder> find(String name) {
        return name.startsWith(HIDDEN) || name.contains("/")
                ? Optional.empty()
                : MachineFolder.open(path.resolve(name));
    }

    /** Returns all machines, oldest first. */
    public List<MachineFolder> list() {
        try (Stream<Path> folders = Files.list(path)) {
            return folders.filter(folder -> !folder.getFileName().toString().startsWith(HIDDEN))
                    .filter(Files::isDirectory)
                    .flatMap(StateFolder::readable)
                    .sorted(Comparator.comparing(
                                    (MachineFolder machine) -> machine.record().created())
                            .thenComparing(machine -> machine.record().name()))
                    .toList();
        } catch (NoSuchFileException ignored) {
            return List.of();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Opens a machine's folder. Skips a malformed folder, so that a list still contains the others. */
    private static Stream<MachineFolder> readable(Path folder) {
        try {
            return MachineFolder.open(folder).stream();
        } catch (IllegalStateException failure) {
            LOG.warn("left out: {}", failure.getMessage());
            return Stream.empty();
        }
    }

    /**
     * Makes the folder of a machine unless one of that name exists. If several processes try at once, one succeeds.
     *
     * @param files the further files in it, by name
     * @param isolation the isolation of its processes; empty for none
     * @return empty if the folder already existed
     */
    public Optional<MachineFolder> make(
            MachineRecord record, List<String> command, Map<String, String> files, Optional<Isolation> isolation)
            throws IOException {
        OwnFiles.makeFolders(path);
        Path aside = OwnFiles.makeFolder(path.resolve(HIDDEN + "new-" + UUID.randomUUID()));
        MachineFolder.fill(aside, record, command, files, isolation);
        if (isolation.filter(Isolation::needsPassage).isPresent()) {
            OwnFiles.letPass(path);
        }
        return giveName(aside, path.resolve(record.name())) ? find(record.name()) : Optional.empty();
    }

    /** Makes a folder in which a program can try an isolation. It is not a machine; closing it removes it. */
    public Probe probe(Isolation isolation) throws IOException {
        OwnFiles.makeFolders(path);
        Path probe = OwnFiles.makeFolder(path.resolve(HIDDEN + "probe-" + UUID.randomUUID()));
        MachineFolder.separate(probe, isolation);
        if (isolation.needsPassage()) {
            OwnFiles.letPass(path);
        }
        return new Probe(probe);
    }

    /** See {@link #probe}. */
    public record Probe(Path path) implements AutoCloseable {
        /** Returns the output of the program. */
        public String log() {
            return OwnFiles.readEnd(path.resolve(MachineFolder.LOG)).orElse("");
        }

        @Override
        public void close() throws IOException {
            OwnFiles.removeForeign(path);
        }
    }

    private static boolean giveName(Path aside, Path named) throws IOException {
        try {
            Files.move(aside, named, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (FileAlreadyExistsException | DirectoryNotEmptyException ignored) {
            OwnFiles.remove(aside);
            return false;
        } catch (FileSystemException failure) {
            OwnFiles.remove(aside);
            if (Files.exists(named)) {
                return false;
            }
            throw failure;
        }
    }

    /** Runs work under a lock that excludes all other processes of the user. */
    public <T> T exclusively(Work<T> work) throws IOException {
        OwnFiles.makeFolders(path);
        OF_THIS_JVM.lock();
        try (FileChannel channel = FileChannel.open(
                path.resolve(LOCK),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            channel.lock();
            return work.run();
        } finally {
            OF_THIS_JVM.unlock();
        }
    }

    /** Work under a lock. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws IOException;
    }

    /** Removes hidden folders that a dead process left: machines that were partly made or partly removed. */
    public void tidy(Instant now) throws IOException {
        List<Path> hidden;
        try (Stream<Path> entries = Files.list(path)) {
            hidden = entries.filter(entry -> entry.getFileName().toString().startsWith(HIDDEN))
                    .filter(Files::isDirectory)
                    .toList();
        } catch (NoSuchFileException ignored) {
            return;
        }
        for (Path folder : hidden) {
            if (isLeftBehind(folder, now)) {
                MachineFolder.removeContents(folder);
            }
        }
    }

    private static boolean isLeftBehind(Path folder, Instant now) throws IOException {
        try {
            return Files.getLastModifiedTime(folder)
                    .toInstant()
                    .plus(LEFT_BEHIND)
                    .isBefore(now);
        } catch (NoSuchFileException ignored) {
            return false;
        }
    }
}
