package dev.outpost.provider.process.config;

import dev.outpost.provider.support.Memory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of machines; see {@link ProcessSetting}.
 *
 * @param gpus what stands in for a GPU, by its name in lower case
 */
public record ProcessConfig(
        Path state,
        Program program,
        String host,
        Optional<EngineName> engine,
        Map<String, EngineName> gpus,
        Optional<Memory> memory,
        Sources sources,
        Times times) {

    /** The places from which machines read models, and the folder where files that are far away are kept. */
    public record Sources(Optional<String> allowed, Optional<Path> cache) {}

    /** The program that is run. */
    public record Program(Optional<Path> jar, Path java, List<String> flags, Optional<Path> cache) {}

    /** How long what takes or lasts. */
    public record Times(
            Duration lease,
            Optional<Duration> idleTimeout,
            Duration maximumLifetime,
            Duration startTimeout,
            Duration ttlAfterFinished) {}
}
