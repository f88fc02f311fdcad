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

    private static DesiredDeployments read(String json) throws JsonProcessingException {
        return DesiredDeployments.of(BackendJson.mapper().readValue(json, GatewayOrders.class));
    }

    private static String deployment(String name, String replicas) {
        return """
                {"name": "%s", "project": "vision", "wanted": 1, "max": 2, "failures": 0, "text": "it starts",
                  "replicas": [%s]}""".formatted(name, replicas);
    }

    @Test
    void emptyListIsCompleteOnlyIfItSaysSo() throws JsonProcessingException {
        String one = deployment("chat", "");
        assertFalse(read("{\"deployments\": []}").isComplete());
        assertTrue(read("{\"deployments\": [], \"complete\": true}").isComplete());
        assertTrue(read("{\"deployments\": [" + one + "]}").isComplete());
        assertFalse(
                read("{\"deployments\": [" + one + "], \"complete\": false}").isComplete());
    }

    @Test
    void incompleteListKeepsWhatWasKnown() throws JsonProcessingException {
        DesiredDeployments known = read("{\"deployments\": [" + deployment("chat", "") + "], \"complete\": true}");
        DesiredDeployments next = read("{\"deployments\": [" + deployment("draw", "") + "], \"complete\": false}");
        assertEquals(
                Set.of("chat", "draw"), next.withOthers(known).deployments().keySet());
    }

    @Test
    void backendThatDoesNotSayWhatItTakesIsOfAnOlderVersion() throws JsonProcessingException {
        assertFalse(read("{\"deployments\": []}").takesFirstTokens());
        assertTrue(read("{\"deployments\": [], \"takes\": [\"zeroToToken\"]}").takesFirstTokens());
    }
}
