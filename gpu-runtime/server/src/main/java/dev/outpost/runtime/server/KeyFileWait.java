package dev.outpost.runtime.server;

import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Waits for key files that appear late, before Quarkus starts. Quarkus would ask for the key on an event loop, which must not
 * wait.
 */
final class KeyFileWait {
    private static final List<String> FILES = List.of("token-file", "certificate", "key");
    private static final int PRIORITY = 200;

    private KeyFileWait() {}

    /** Waits for the files that properties or variables name. Returns immediately if no file is missing. */
    static void await() throws IOException {
        List<Path> missing = FILES.stream()
                .flatMap(KeyFileWait::named)
                .filter(file -> !KeyFiles.isThere(file))
                .toList();
        if (missing.isEmpty()) {
            return;
        }
        // Quarkus requires its log manager to be set first, and would otherwise hold log messages back until it has
        // started.
        System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
        Optional<RuntimeConfig> config = config();
        if (config.isPresent()) {
            System.err.println("outpost runtime: waiting for " + missing.getFirst());
            KeyFiles files = RuntimeBeans.keyFiles(config.get());
            RuntimeBeans.secret(config.get(), files);
            RuntimeBeans.identity(config.get(), files);
        }
    }

    private static Stream<Path> named(String setting) {
        String property = "outpost.runtime." + setting;
        String variable = property.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
        return Optional.ofNullable(System.getProperty(property))
                .or(() -> Optional.ofNullable(System.getenv(variable)))
                .filter(file -> !file.isBlank())
                .map(Path::of)
                .stream();
    }

    /** Returns the configuration; empty if it is invalid. Quarkus reports an invalid configuration later. */
    private static Optional<RuntimeConfig> config() {
        try {
            return Optional.of(new SmallRyeConfigBuilder()
                    .addDefaultSources()
                    .withConverter(Duration.class, PRIORITY, new DurationConverter())
                    .withMapping(RuntimeConfig.class)
                    .build()
                    .getConfigMapping(RuntimeConfig.class));
        } catch (RuntimeException ignored) {
            return Optional.empty();
        }
    }
}
