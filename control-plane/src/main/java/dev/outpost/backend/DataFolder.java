package dev.outpost.backend;

import java.nio.file.Path;
import java.util.Optional;

/** The folder in which a backend keeps its database and its drawn keys. */
final class DataFolder {
    private DataFolder() {}

    /**
     * Returns the configured folder, or a folder below the user's home. If root runs the backend, the database runs
     * as another user that cannot read root's home, so the default is then a system folder.
     */
    static Path of(Optional<Path> configured) {
        return configured
                .orElseGet(() -> "root".equals(System.getProperty("user.name"))
                        ? Path.of("/var/lib/outpost/backend")
                        : Path.of(System.getProperty("user.home"), ".outpost", "backend"))
                .toAbsolutePath();
    }
}
