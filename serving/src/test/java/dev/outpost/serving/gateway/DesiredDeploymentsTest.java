package dev.outpost.serving.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DesiredDeploymentsTest {
    private static DesiredDeployments read(String json) throws JsonProcessingException {
        return DesiredDeployments.read(new ObjectMapper().readTree(json)).orElseThrow();
    }

    /** As a proxy answers, or a backend that has broken off. */
    @Test
    void answerWithoutAWholeListIsNoCommand() throws JsonProcessingException {
        for (String json : List.of(
                "{}",
                "[]",
                "null",
                "\"\"",
                "{\"deployments\": null}",
                "{\"deployments\": [{}]}",
                "{\"deployments\": [{\"name\": \"chat\"}]}")) {
            assertEquals(Optional.empty(), DesiredDeployments.read(new ObjectMapper().readTree(json)), json);
        }
        assertEquals(Optional.empty(), DesiredDeployments.read(MissingNode.getInstance()));
    }

    @Test
    void emptyListIsCompleteOnlyIfItSaysSo() throws JsonProcessingException {
        String one = "{\"name\": \"chat\", \"replicas\": []}";
        assertFalse(read("{\"deployments\": []}").isComplete());
        assertTrue(read("{\"deployments\": [], \"complete\": true}").isComplete());
        assertTrue(read("{\"deployments\": [" + one + "]}").isComplete());
        assertFalse(
                read("{\"deployments\": [" + one + "], \"complete\": false}").isComplete());
    }

    @Test
    void incompleteListKeepsWhatWasKnown() throws JsonProcessingException {
        DesiredDeployments known =
                read("{\"deployments\": [{\"name\": \"chat\", \"replicas\": []}], \"complete\": true}");
        DesiredDeployments next =
                read("{\"deployments\": [{\"name\": \"draw\", \"replicas\": []}], \"complete\": false}");
        assertEquals(
                Set.of("chat", "draw"), next.withOthers(known).deployments().keySet());
    }

    @Test
    void backendThatDoesNotSayWhatItTakesIsOfAnOlderVersion() throws JsonProcessingException {
        assertFalse(read("{\"deployments\": []}").takesFirstTokens());
        assertTrue(read("{\"deployments\": [], \"takes\": [\"zeroToToken\"]}").takesFirstTokens());
    }

    @Test
    void replicaIsReadyInItsPhaseAlone() throws JsonProcessingException {
        DesiredDeployments desired = read("""
                {"deployments": [{"name": "chat", "max": 2, "replicas": [
                    {"machine": "m1", "revision": 1, "model": "file:/m", "phase": "READY", "draining": true},
                    {"machine": "m2", "revision": 2, "model": "file:/m", "phase": "BOOT"}]}]}""");
        assertEquals(
                "[true, false]",
                desired.deployments().get("chat").replicas().stream()
                        .map(DesiredDeployments.ReplicaOrder::isReady)
                        .toList()
                        .toString());
        assertTrue(desired.deployments().get("chat").replicas().getFirst().isDraining());
    }
}
