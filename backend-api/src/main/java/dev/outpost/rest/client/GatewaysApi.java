package dev.outpost.rest.client;

import dev.outpost.rest.deployment.AdmittedKey;
import dev.outpost.rest.deployment.GatewayOrders;
import dev.outpost.rest.deployment.GatewayReport;
import dev.outpost.rest.deployment.ShownKey;
import dev.outpost.rest.usage.TokenUseBatch;
import dev.outpost.rest.usage.TokenUseReceived;

/** Calls of a gateway, which sends requests to the replicas of deployments. */
public record GatewaysApi(BackendClient client) {
    /** Tells what requests and replicas a gateway has; what there shall be. */
    public GatewayOrders report(String id, GatewayReport report) {
        return client.put("/v1/gateways/" + id, report, GatewayOrders.class);
    }

    /** Whose key a gateway was shown. */
    public AdmittedKey admit(ShownKey key) {
        return client.post("/v1/gateways:admit", key, AdmittedKey.class);
    }

    /** Counts what texts have used; a batch that is sent again is counted once. */
    public TokenUseReceived count(TokenUseBatch batch) {
        return client.post("/v1/token-usage", batch, TokenUseReceived.class);
    }
}
