package dev.outpost.system.k8s.faults;

import dev.outpost.channel.Backoff;
import dev.outpost.provider.k8s.KubernetesProvider;
import dev.outpost.provider.k8s.cluster.Clients;
import dev.outpost.provider.k8s.config.SettingsReader;
import dev.outpost.provider.k8s.task.PollingSettings;
import dev.outpost.provider.k8s.task.ProviderContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Makes a program's provider with short waits. */
final class ImpatientProvider {
    private static final PollingSettings POLLING = new PollingSettings(
            Backoff.doubling(Duration.ofMillis(20), Duration.ofMillis(200)).withJitter(0.5),
            Duration.ofMillis(50),
            Duration.ofMillis(500),
            Duration.ofMillis(500),
            Duration.ofMillis(100),
            Duration.ofMillis(500),
            Duration.ofSeconds(60),
            Duration.ofSeconds(60));

    private ImpatientProvider() {}

    static KubernetesProvider at(String url, String token, String namespace, Map<String, String> settings) {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(url)
                .withOauthToken(token)
                .withNamespace(namespace)
                .build();
        return new KubernetesProvider(ProviderContext.of(Clients.of(config))
                .withSettings(options -> SettingsReader.of(with(settings, options)))
                .withPolling(POLLING));
    }

    private static Map<String, String> with(Map<String, String> less, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(less);
        all.putAll(more);
        return all;
    }
}
