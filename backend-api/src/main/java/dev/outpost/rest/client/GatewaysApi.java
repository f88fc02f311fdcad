package dev.outpost.rest.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.rest.deployment.AdmittedKey;
import dev.outpost.rest.deployment.GatewayOrders;
import dev.outpost.rest.deployment.GatewayReport;
import dev.outpost.rest.deployment.ShownKey;
import dev.outpost.rest.usage.TokenUseBatch;

/** Calls of a gateway, which sends requests to the replicas of deployments. */
public record GatewaysApi(BackendClient client) {
    /** Sends the report of a gateway. Returns the desired deployments and replicas. */
    public GatewayOrders report(String id, GatewayReport report) {
        return client.put("/v1/gateways/" + id, report, GatewayOrders.class);
    }

    /** Returns the owner of a key that a gateway was shown. */
    public AdmittedKey admit(ShownKey key) {
        return client.post("/v1/gateways:admit", key, AdmittedKey.class);
    }

    /** Sends the token use of texts. A batch that is sent again is counted once. */
    public void count(TokenUseBatch batch) {
        client.post("/v1/token-usage", batch, JsonNode.class);
    }
}
