package dev.outpost.provider.lan;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The workers that a user is paired with, in a file that only the user can read. Each line has a name, a certificate and a token.
 * Several processes may use the file at once.
 */
final class KnownWorkers {
    /** The system property that names another file than the user's. */
    static final String PROPERTY = "outpost.lan.workers";

    static final String ENVIRONMENT = "OUTPOST_LAN_WORKERS";

    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OF_OTHERS = PosixFilePermissions.fromString("---rwxrwx");
    private static final Pattern LINE =
            Pattern.compile("([A-Za-z0-9][A-Za-z0-9._-]{0,62}) ([0-9a-f]{64}) ([A-Za-z0-9_-]{16,100})");

    /** A pairing; the token is a secret. */
    record Entry(String name, String certificate, String token) {
        @Override
        public String toString() {
            return "Entry[" + name + ", " + certificate + ", token=hidden]";
        }
    }

    private final Path file;

    KnownWorkers(Path file) {
        this.file = file;
    }

    /**
     * Returns the workers in the file that {@value #PROPERTY} or {@value #ENVIRONMENT} names, else in
     * {@code ~/.outpost/workers}.
     */
    static KnownWorkers ofUser() {
        return new KnownWorkers(Optional.ofNullable(System.getProperty(PROPERTY))
                .or(() -> Optional.ofNullable(System.getenv(ENVIRONMENT)))
                .filter(path -> !path.isBlank())
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".outpost", "workers")));
    }

    /** Returns the known workers, by certificate. */
    Map<String, Entry> read() throws IOException {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (String line : lines()) {
            Matcher matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw new IOException(file + " has an invalid line; remove it, and pair again");
            }
            entries.put(matcher.group(2), new Entry(matcher.group(1), matcher.group(2), matcher.group(3)));
        }
        return entries;
    }

    private List<String> lines() throws IOException {
        try {
            if (Files.getPosixFilePermissions(file).stream().anyMatch(OF_OTHERS::contains)) {
                throw new IOException(file + " holds tokens and can be read by others on this host; chmod 600 " + file
                        + ", and pair anew");
            }
            return Files.readAllLines(file);
        } catch (NoSuchFileException ignored) {
            return List.of();
        }
    }

    /** Adds a worker, and replaces one of the same name. */
    void put(Entry entry) throws IOException {
        change(entries -> {
            entries.values().removeIf(other -> other.name().equals(entry.name()));
            entries.put(entry.certificate(), entry);
        });
    }

    /**
     * Forgets a worker.
     *
     * @return true if it was known
     */
    boolean remove(String name) throws IOException {
        boolean[] wasKnown = new boolean[1];
        change(entries ->
                wasKnown[0] = entries.values().removeIf(other -> other.name().equals(name)));
        return wasKnown[0];
    }

    private interface Change {
        void apply(Map<String, Entry> entries);
    }

    private void change(Change change) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path guard = file.resolveSibling(file.getFileName() + ".lock");
        synchronized (KnownWorkers.class) {
            try (FileChannel channel = FileChannel.open(guard, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                Map<String, Entry> entries = read();
                change.apply(entries);
                write(entries);
            }
        }
    }

    private void write(Map<String, Entry> entries) throws IOException {
        Path aside = file.resolveSibling("." + file.getFileName() + "-" + UUID.randomUUID());
        Files.createFile(aside, PosixFilePermissions.asFileAttribute(FILE));
        Files.writeString(
                aside,
                entries.values().stream()
                        .map(entry -> entry.name() + " " + entry.certificate() + " " + entry.token() + "\n")
                        .collect(Collectors.joining()),
                StandardOpenOption.WRITE);
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
