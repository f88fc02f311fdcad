package dev.outpost.provider.k8s;

import dev.outpost.channel.Backoff;
import dev.outpost.provider.k8s.cluster.Clients;
import dev.outpost.provider.k8s.cluster.Cluster;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.task.PollingSettings;
import dev.outpost.provider.k8s.task.ProviderContext;
import dev.outpost.support.tests.Await;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** A provider context with short waits, and a method that waits for other threads. */
public final class Quick {
    public static final PollingSettings POLLING = new PollingSettings(
            Backoff.doubling(Duration.ofMillis(1), Duration.ofMillis(10)).withJitter(0.5),
            Duration.ofMillis(10),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofMillis(20),
            Duration.ofMillis(200),
            Duration.ofMillis(300),
            Duration.ofMillis(300));

    private Quick() {}

    public static ProviderContext surroundings(Config configuration) {
        return surroundings(configuration, InstantSource.system(), System::nanoTime);
    }

    public static ProviderContext surroundings(Config configuration, InstantSource clock, LongSupplier nanos) {
        return new ProviderContext(
                SettingsReader::of, Clients.of(configuration), clock, nanos, new SecureRandom(), "ada@laptop", POLLING);
    }

    /** Returns a context for tests whose calls reach no server. */
    public static ProviderContext surroundings() {
        return surroundings(Config.empty());
    }

    /** Returns the namespace {@code test} of the client's cluster, with a client that our code creates. */
    public static Cluster cluster(KubernetesClient client) {
        return Clients.of(client.getConfiguration()).open(SettingsReader.of(Map.of("namespace", "test")));
    }

    public static void eventually(String what, BooleanSupplier condition) {
        Await.until(what, condition::getAsBoolean);
    }
}
