package dev.outpost.provider.process.config;

import dev.outpost.provider.process.state.UserRange;
import dev.outpost.provider.support.EngineKind;
import dev.outpost.provider.support.Memory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of machines; see {@link ProcessSetting}.
 *
 * @param gpus the engine that replaces a GPU, by the GPU's name in lower case
 */
public record ProcessConfig(
        Path state,
        Program program,
        String host,
        Optional<EngineKind> engine,
        Map<String, EngineKind> gpus,
        Optional<Memory> memory,
        Sources sources,
        List<String> environment,
        Separation separation,
        Times times) {

    /** The isolation of machines of different organisations. */
    public record Separation(
            IsolationName isolation, UserRange users, List<Path> readable, boolean isEveryoneTrusted) {}

    /** The sources from which machines may read models, and the folder that caches remote files. */
    public record Sources(Optional<String> allowed, Optional<Path> cache) {}

    /** The program of a machine. */
    public record Program(Optional<Path> jar, Path java, List<String> flags, Optional<Path> cache) {}

    /** Lifetimes and timeouts. */
    public record Times(
            Duration lease,
            Optional<Duration> idleTimeout,
            Duration maximumLifetime,
            Duration startTimeout,
            Duration ttlAfterFinished) {}

    /** Returns the same settings with another cache folder. */
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
