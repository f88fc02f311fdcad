package dev.outpost.provider.process.config;

import dev.outpost.provider.process.state.UserRange;
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
        List<String> environment,
        Separation separation,
        Times times) {

    /** How the machines of organisations are kept apart. */
    public record Separation(
            IsolationName isolation, UserRange users, List<Path> readable, boolean isEveryoneTrusted) {}

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

    /** The same with another folder for files of hubs. */
    public ProcessConfig withCache(Path cache) {
        return new ProcessConfig(
                state,
                program,
                host,
                engine,
                gpus,
                memory,
                new Sources(sources.allowed(), Optional.of(cache)),
                environment,
                separation,
                times);
    }
}
