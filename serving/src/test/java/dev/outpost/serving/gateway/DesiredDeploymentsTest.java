package dev.outpost.serving.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.outpost.rest.client.BackendJson;
import dev.outpost.rest.deployment.GatewayOrders;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DesiredDeploymentsTest {
    private static final String M1 = "6f1c2a52-8f0e-4a53-9d2b-0a3a4f1f0001";
    private static final String M2 = "6f1c2a52-8f0e-4a53-9d2b-0a3a4f1f0002";

    private static DesiredDeployments read(String json) throws JsonProcessingException {
        return DesiredDeployments.of(BackendJson.mapper().readValue(json, GatewayOrders.class));
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
                    {"machine": "%s", "revision": 1, "model": "file:/m", "phase": "READY", "draining": true},
                    {"machine": "%s", "revision": 2, "model": "file:/m", "phase": "BOOT"}]}]}""".formatted(M1, M2));
        assertEquals(
                "[true, false]",
                desired.deployments().get("chat").replicas().stream()
                        .map(DesiredDeployments.ReplicaOrder::isReady)
                        .toList()
                        .toString());
        assertTrue(desired.deployments().get("chat").replicas().getFirst().isDraining());
    }
}
