package dev.outpost.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.backend.store.ClusterRows;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the sentences about settings that a backend lacks for a request. */
@Tag("quick")
class MissingSettingsTest {
    private static BackendConfig config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(settings, "test", 300))
                .withConverter(Duration.class, 200, MissingSettingsTest::duration)
                .withMapping(BackendConfig.class)
                .build()
                .getConfigMapping(BackendConfig.class);
    }

    /** Null for an absent value, as Quarkus' own converter gives. */
    private static Duration duration(String text) {
        if (text.isEmpty()) {
            return null;
        }
        return text.endsWith("d")
                ? Duration.ofDays(Long.parseLong(text.substring(0, text.length() - 1)))
                : Duration.parse("PT" + text);
    }

    private static ClusterRows.Stored cluster(String provider) {
        return ClusterRows.Stored.active("east", provider, List.of(), OptionalInt.empty(), Map.of());
    }

    @Test
    void keysAreMissedWithoutClusters() {
        Map<String, String> missing = MissingSettings.sentences(config(Map.of()), false, false, List.of());
        assertEquals(Set.of("OUTPOST_BACKEND_SEAL_KEY", "OUTPOST_BACKEND_MANAGEMENT_KEY"), missing.keySet());
        assertTrue(missing.get("OUTPOST_BACKEND_SEAL_KEY").startsWith("is not set, so jobs, secrets and webhooks"));
    }

    @Test
    void settingOfAnOlderVersionIsNotIgnoredSilently() {
        String name = "outpost.backend.private-webhooks";
        Map<String, String> obsolete = ObsoleteSettings.sentences(config(Map.of(name, "true")));
        assertEquals(Set.of("OUTPOST_BACKEND_PRIVATE_WEBHOOKS"), obsolete.keySet());
        assertTrue(obsolete.get("OUTPOST_BACKEND_PRIVATE_WEBHOOKS").contains("OUTPOST_BACKEND_PRIVATE_ENDPOINTS"));
        assertEquals(Map.of(), ObsoleteSettings.sentences(config(Map.of(name, "false"))));
        assertEquals(Map.of(), ObsoleteSettings.sentences(config(Map.of())));
    }

    @Test
    void addressOfJobsIsMissedByAClusterOnKubernetes() {
        List<ClusterRows.Stored> host = List.of(cluster("process"));
        assertEquals(Map.of(), MissingSettings.sentences(config(Map.of()), true, true, host));
        List<ClusterRows.Stored> kubernetes = List.of(cluster("k8s"));
        Map<String, String> missing = MissingSettings.sentences(config(Map.of()), true, true, kubernetes);
        assertEquals(Set.of("OUTPOST_BACKEND_JOBS_ADDRESS"), missing.keySet());
        assertTrue(missing.get("OUTPOST_BACKEND_JOBS_ADDRESS").contains("cluster east"));
        BackendConfig whole = config(Map.of("outpost.backend.jobs.address", "https://outpost-backend"));
        assertEquals(Map.of(), MissingSettings.sentences(whole, true, true, kubernetes));
    }
}
