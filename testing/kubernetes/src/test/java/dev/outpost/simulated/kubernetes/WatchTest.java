package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.simulated.kubernetes.api.Verb;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests watches, including those that end. */
class WatchTest {
    private final TestCluster cluster = TestCluster.start();
    private final KubernetesClient client = ClusterConnection.client(cluster.config());
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    @Test
    void aWatchBeginsWithWhatIsThere() {
        make("a", "x");
        try (Watch watch = client.configMaps().watch(new Notes())) {
            make("b", "x");
            await("ADDED a", "ADDED b");
        }
    }

    @Test
    void nothingIsLostBetweenAListAndAWatch() {
        make("a", "x");
        String version = client.configMaps().list().getMetadata().getResourceVersion();
        make("b", "x");
        remove("a");
        var since = new ListOptionsBuilder().withResourceVersion(version).build();
        try (Watch watch = client.configMaps().watch(since, new Notes())) {
            await("ADDED b", "DELETED a");
        }
    }

    @Test
    void objectThatLeavesTheSelectorIsDeletedForWatchers() {
        try (Watch watch = client.configMaps().withLabelIn("kind", "x", "y").watch(new Notes())) {
            ClusterAwait.until("the watch is open", () -> cluster.openWatches() == 1);
            make("a", "x");
            make("b", "z");
            cluster.client()
                    .configMaps()
                    .withName("a")
                    .edit(map -> new ConfigMapBuilder(map)
                            .editMetadata()
                            .addToLabels("kind", "z")
                            .endMetadata()
                            .build());
            await("ADDED a", "DELETED a");
        }
    }

    @Test
    void informersGoOnWhenWatchesAreClosed() {
        try (SharedIndexInformer<ConfigMap> informer = client.configMaps().inform()) {
            ClusterAwait.until("the watch is open", () -> cluster.openWatches() == 1);
            cluster.faults().closeWatches();
            make("a", "x");
            ClusterAwait.until(
                    "the informer knows it", () -> informer.getStore().list().size() == 1);
        }
    }

    @Test
    void silentWatchesStayOpenAndOthersTell() {
        try (Watch silent = client.configMaps().watch(new Notes())) {
            ClusterAwait.until("the watch is open", () -> cluster.openWatches() == 1);
            cluster.faults().silenceWatches();
            try (Watch other = client.configMaps().watch(new Notes())) {
                ClusterAwait.until("both watches are open", () -> cluster.openWatches() == 2);
                make("a", "x");
                await("ADDED a");
            }
        }
    }

    @Test
    void informersListAgainWhenHistoryHasExpired() {
        make("a", "x");
        try (SharedIndexInformer<ConfigMap> informer = client.configMaps().inform()) {
            ClusterAwait.until("the watch is open", () -> cluster.openWatches() == 1);
            cluster.faults().expireWatches();
            remove("a");
            make("b", "x");
            ClusterAwait.until(
                    "the informer knows it",
                    () -> informer.getStore().list().stream()
                            .map(map -> map.getMetadata().getName())
                            .toList()
                            .equals(List.of("b")));
            assertEquals(2, cluster.requests().of(Verb.LIST, "configmaps"));
        }
    }

    @Test
    void aWatchFromExpiredHistoryFails() {
        make("a", "x");
        String version = client.configMaps().list().getMetadata().getResourceVersion();
        cluster.faults().expireWatches();
        var since = new ListOptionsBuilder().withResourceVersion(version).build();
        try (Watch watch = client.configMaps().watch(since, new Notes())) {
            ClusterAwait.until(
                    "the watch has failed: " + seen,
                    () -> seen.stream()
                            .anyMatch(line -> line.matches("failed too old resource version: \\d+ \\(\\d+\\)")));
        }
    }

    private void make(String name, String kind) {
        cluster.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToLabels("kind", kind)
                        .endMetadata()
                        .build())
                .create();
    }

    private void remove(String name) {
        cluster.client().configMaps().withName(name).delete();
    }

    private void await(String... lines) {
        ClusterAwait.until("exactly " + List.of(lines), () -> List.copyOf(seen).equals(List.of(lines)));
    }

    private final class Notes implements Watcher<ConfigMap> {
        @Override
        public void eventReceived(Action action, ConfigMap map) {
            seen.add(action + " " + map.getMetadata().getName());
        }

        @Override
        public void onClose(WatcherException cause) {
            seen.add("failed " + cause.getMessage());
        }
    }
}
