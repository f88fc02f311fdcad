package dev.outpost.backend;

import java.nio.file.Path;
import java.util.Optional;

/** Where a backend keeps what it must find again. */
final class DataFolder {
    private DataFolder() {}

    /**
     * The one that is configured, else below the user's home. Root's home is closed to the user that the database runs as, so
     * root has one of the system's.
     */
    static Path of(Optional<Path> configured) {
        return configured
                .orElseGet(() -> "root".equals(System.getProperty("user.name"))
                        ? Path.of("/var/lib/outpost/backend")
                        : Path.of(System.getProperty("user.home"), ".outpost", "backend"))
                .toAbsolutePath();
    }
}
