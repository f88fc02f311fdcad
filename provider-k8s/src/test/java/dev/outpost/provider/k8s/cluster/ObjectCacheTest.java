package dev.outpost.provider.k8s.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ObjectCacheTest {
    private final ObjectCache<Pod> sightings = new ObjectCache<>();

    @Test
    void unseenObjectIsNotReportedAsDeleted() {
        sightings.list(List.of());
        assertEquals(Optional.empty(), sightings.newest());
        assertFalse(sightings.isGone());
    }

    @Test
    void newestVersionWins() {
        Pod old = pod("a", "2030-01-01T00:00:00Z");
        Pod young = pod("b", "2030-01-01T00:00:01Z");
        sightings.list(List.of(young, old));
        assertEquals(Optional.of(young), sightings.newest());
    }

    @Test
    void objectMissingFromAListIsDeletedAndRemembered() {
        Pod pod = pod("a", "2030-01-01T00:00:00Z");
        sightings.put(pod);
        sightings.list(List.of());
        assertTrue(sightings.isGone());
        assertEquals(Optional.of(pod), sightings.newest());
    }

    @Test
    void aRemovedOneIsRememberedAsItWasInTheEnd() {
        sightings.put(pod("a", "2030-01-01T00:00:00Z"));
        Pod ended = pod("a", "2030-01-01T00:00:00Z");
        ended.getMetadata().setResourceVersion("9");
        sightings.remove(ended);
        assertTrue(sightings.isGone());
        assertEquals("9", sightings.newest().orElseThrow().getMetadata().getResourceVersion());
    }

    @Test
    void aSuccessorTakesThePlaceOfOneThatIsGone() {
        sightings.put(pod("a", "2030-01-01T00:00:00Z"));
        sightings.remove(pod("a", "2030-01-01T00:00:00Z"));
        Pod successor = pod("b", "2030-01-01T00:00:01Z");
        sightings.put(successor);
        assertFalse(sightings.isGone());
        assertEquals(Optional.of(successor), sightings.newest());
    }

    private static Pod pod(String uid, String created) {
        return new PodBuilder()
                .withNewMetadata()
                .withUid(uid)
                .withCreationTimestamp(created)
                .endMetadata()
                .build();
    }
}
