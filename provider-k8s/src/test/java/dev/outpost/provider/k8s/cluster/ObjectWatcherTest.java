package dev.outpost.provider.k8s.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ConfigMapListBuilder;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.ListMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.Watcher.Action;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lists and watches whose contents the test determines. */
@Tag("quick")
class ObjectWatcherTest {
    private final List<ConfigMap> there = new ArrayList<>();
    private final List<Watcher<ConfigMap>> opened = new ArrayList<>();
    private final List<Watcher<ConfigMap>> closed = new ArrayList<>();
    private ObjectWatcher<ConfigMap> watcher;
    private ListMeta metadata = new ListMetaBuilder().withResourceVersion("9").build();

    @BeforeEach
    void open() {
        there.add(map("a", 1));
        watcher = new ObjectWatcher<>(selection(), () -> {});
        watcher.refresh();
    }

    @SuppressWarnings("unchecked")
    private FilterWatchListDeletable<ConfigMap, KubernetesResourceList<ConfigMap>, Resource<ConfigMap>> selection() {
        return (FilterWatchListDeletable<ConfigMap, KubernetesResourceList<ConfigMap>, Resource<ConfigMap>>)
                Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {FilterWatchListDeletable.class},
                        (proxy, method, arguments) -> switch (method.getName()) {
                            case "list" ->
                                new ConfigMapListBuilder()
                                        .withMetadata(metadata)
                                        .withItems(there)
                                        .build();
                            case "watch" -> watch((Watcher<ConfigMap>) arguments[1]);
                            default -> throw new UnsupportedOperationException(method.getName());
                        });
    }

    private Watch watch(Watcher<ConfigMap> listener) {
        opened.add(listener);
        return () -> closed.add(listener);
    }

    private static ConfigMap map(String name, int version) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid(name)
                .withCreationTimestamp("2026-03-01T12:00:00Z")
                .withResourceVersion(String.valueOf(version))
                .endMetadata()
                .build();
    }

    /** Such as the answer of a proxy in front of the API server, or a page of a list. */
    @Test
    void answerThatIsNoWholeListChangesNothing() {
        there.clear();
        for (ListMeta other : Arrays.asList(
                null,
                new ListMeta(),
                new ListMetaBuilder().withResourceVersion("").build(),
                new ListMetaBuilder()
                        .withResourceVersion("10")
                        .withContinue("next")
                        .build())) {
            metadata = other;
            KubernetesClientException refused = assertThrows(KubernetesClientException.class, watcher::refresh);
            assertEquals(502, refused.getCode());
            assertEquals(1, watcher.present().size());
        }
    }

    @Test
    void watchThatTellsNothingWhereNothingHappensStays() {
        for (int i = 0; i < 5; i++) {
            watcher.refresh();
        }
        assertEquals(1, opened.size());
    }

    @Test
    void watchThatMissesAChangeIsOpenedAgain() {
        there.set(0, map("a", 2));
        watcher.refresh();
        assertEquals(1, opened.size(), "the change may be on its way");
        watcher.refresh();
        assertEquals(List.of(opened.getFirst()), closed);
        assertEquals(2, opened.size());
        assertTrue(watcher.isWatched());
        opened.getFirst().eventReceived(Action.DELETED, map("a", 2));
        assertFalse(watcher.isGone(), "what a closed watch tells is not heard");
    }

    @Test
    void watchThatMissesAnEndIsOpenedAgain() {
        there.clear();
        watcher.refresh();
        watcher.refresh();
        assertEquals(2, opened.size());
        assertTrue(watcher.isGone());
    }

    @Test
    void watchThatTellsAfterTheListStays() {
        there.set(0, map("a", 2));
        watcher.refresh();
        opened.getFirst().eventReceived(Action.MODIFIED, map("a", 2));
        watcher.refresh();
        watcher.refresh();
        assertEquals(1, opened.size());
    }

    @Test
    void closedWatcherOpensNoOther() {
        there.set(0, map("a", 2));
        watcher.refresh();
        watcher.close();
        watcher.refresh();
        assertEquals(1, opened.size());
        assertFalse(watcher.isWatched());
    }
}
