package dev.outpost.provider.k8s.task;

import dev.outpost.provider.k8s.cluster.Clients;
import dev.outpost.provider.k8s.config.KubernetesConfig;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.support.CancellableTask;
import dev.outpost.provider.support.Owner;
import io.smallrye.mutiny.Uni;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The environment that the provider depends on.
 *
 * @param settings reads the settings; the options of a machine override them
 * @param clients makes clients of the API server
 * @param clock the date, for certificates and texts only
 * @param nanos a monotonic clock in nanoseconds, for all timing
 * @param random draws keys, names and pauses
 * @param owner the user who requests machines, such as {@code ada@laptop}
 * @param polling the intervals and timeouts of requests to the cluster
 */
public record ProviderContext(
        Function<Map<String, String>, KubernetesConfig> settings,
        Clients clients,
        InstantSource clock,
        LongSupplier nanos,
        SecureRandom random,
        String owner,
        PollingSettings polling) {

    public ProviderContext {
        Objects.requireNonNull(settings, "settings");
        Objects.requireNonNull(clients, "clients");
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(nanos, "nanos");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(polling, "polling");
    }

    /** Makes the context of this process, for the cluster of these clients. */
    public static ProviderContext of(Clients clients) {
        return new ProviderContext(
                SettingsReader::read,
                clients,
                InstantSource.system(),
                System::nanoTime,
                new SecureRandom(),
                Owner.ofThisProcess(),
                PollingSettings.STANDARD);
    }

    public ProviderContext withSettings(Function<Map<String, String>, KubernetesConfig> newSettings) {
        return new ProviderContext(newSettings, clients, clock, nanos, random, owner, polling);
    }

    public ProviderContext withClock(InstantSource newClock) {
        return new ProviderContext(settings, clients, newClock, nanos, random, owner, polling);
    }

    public ProviderContext withPolling(PollingSettings newPolling) {
        return new ProviderContext(settings, clients, clock, nanos, random, owner, newPolling);
    }

    /**
     * Runs work on a separate thread. If the subscriber cancels, the deadline ends the work. Calls of the API server are not interrupted.
     *
     * @param undo undoes a result that is complete only after the cancellation
     */
    public <T> Uni<T> task(String name, Duration timeout, Function<CancellableDeadline, T> work, Consumer<T> undo) {
        return CancellableTask.uni(name, task -> {
            CancellableDeadline deadline = new CancellableDeadline(timeout, nanos);
            task.stopBy(deadline::withdraw);
            return task.began(work.apply(deadline), undo);
        });
    }

    /** Returns the settings without the options of a machine. */
    public KubernetesConfig config() {
        return settings.apply(Map.of());
    }
}
