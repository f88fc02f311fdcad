package dev.outpost.system.backend.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * One backend for those tests of this JVM that neither stop it nor change the state that all of its tenants share. Each test has its own
 * organisation there. The backend observes its machines each second, and they load models from the folder for temporary files. Only the
 * test's user may read these, so the machines run as that user: organisations are not isolated here.
 */
public final class SharedBackend {
    private static int drawn;

    private SharedBackend() {}

    private static final class Started {
        static final Path FOLDER = folder();
        static final BackendHost HOST = start();

        private static Path folder() {
            try {
                return Files.createTempDirectory("outpost-shared-backend");
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        private static BackendHost start() {
            BackendHost host = BackendHost.start(
                    FOLDER,
                    "OUTPOST_BACKEND_OBSERVE_EVERY",
                    "1s",
                    "OUTPOST_BACKEND_REPORT_EVERY",
                    "1s",
                    "OUTPOST_PROCESS_SOURCES",
                    "file:" + System.getProperty("java.io.tmpdir"),
                    "OUTPOST_PROCESS_ISOLATION",
                    "none",
                    "OUTPOST_PROCESS_TRUST_ALL_ORGANISATIONS",
                    "true");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(host)));
            return host;
        }

        private static void stop(BackendHost host) {
            host.close();
            try (Stream<Path> files = Files.walk(FOLDER)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(each -> each.toFile().delete());
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /** The backend with a new organisation of the caller; closing it stops nothing. */
    public static synchronized BackendHost tenant() {
        return Started.HOST.tenant("tenant-" + drawn++);
    }

    /** The key of another organisation of the same backend. */
    public static synchronized String foreignKey() {
        return tenant().access().key();
    }
}
