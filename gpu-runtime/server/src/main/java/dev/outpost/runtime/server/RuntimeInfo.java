package dev.outpost.runtime.server;

import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.context.Limits;
import dev.outpost.runtime.session.context.RuntimeSettings;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The machine's description of itself. */
@Singleton
final class RuntimeInfo {
    /**
     * A short description of the machine.
     *
     * @param version the version of Outpost
     * @param protocol the protocol versions that it supports, such as {@code 8.0 to 8.1}
     * @param java the JVM
     * @param quotaBytes the maximum number of bytes of values of one session
     * @param uptime time since the start
     */
    record Description(
            String version,
            String protocol,
            String java,
            String engine,
            String device,
            long quotaBytes,
            Duration lease,
            Limits limits,
            boolean draining,
            Duration uptime) {}

    private final long start = System.nanoTime();
    private final Engine engine;
    private final RuntimeHost host;
    private final RuntimeSettings settings;
    private final String version;

    RuntimeInfo(
            Engine engine,
            RuntimeHost host,
            RuntimeSettings settings,
            @ConfigProperty(name = "quarkus.application.version") String version) {
        this.engine = engine;
        this.host = host;
        this.settings = settings;
        this.version = version;
    }

    Description describe() {
        return new Description(
                version,
                settings.versions().toString(),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
                engine.name(),
                engine.device(),
                settings.quotaBytes(),
                settings.lease(),
                settings.limits(),
                host.isDraining(),
                Duration.ofNanos(System.nanoTime() - start));
    }
}
