package dev.outpost.serving.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class OrdersTest {
    private static Orders read(String json) throws JsonProcessingException {
        return Orders.read(new ObjectMapper().readTree(json));
    }

    @Test
    void backendThatDoesNotSayWhatItTakesIsOfAnOlderVersion() throws JsonProcessingException {
        assertFalse(read("{\"deployments\": []}").takesFirstTokens());
        assertTrue(read("{\"deployments\": [], \"takes\": [\"zeroToToken\"]}").takesFirstTokens());
    }

    @Test
    void replicaIsReadyInItsPhaseAlone() throws JsonProcessingException {
        Orders orders = read("""
                {"deployments": [{"name": "chat", "max": 2, "replicas": [
                    {"machine": "m1", "revision": 1, "model": "file:/m", "phase": "READY", "draining": true},
                    {"machine": "m2", "revision": 2, "model": "file:/m", "phase": "BOOT"}]}]}""");
        assertEquals(
                "[true, false]",
                orders.deployments().get("chat").replicas().stream()
                        .map(Orders.ReplicaOrder::isReady)
                        .toList()
                        .toString());
        assertTrue(orders.deployments().get("chat").replicas().getFirst().isDraining());
    }
}
