package dev.outpost.rest.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.rest.webhook.DeliveryState;
import dev.outpost.rest.webhook.DeliveryView;
import dev.outpost.rest.webhook.WebhookRequest;
import dev.outpost.rest.webhook.WebhookView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls about webhooks, the addresses to which events are sent. */
public record WebhooksApi(BackendClient client) {
    private static final String PATH = "/v1/webhooks";

    private static String path(String id) {
        return Query.path(PATH, id).toString();
    }

    public List<WebhookView> list() {
        return client.all(new Query(PATH), WebhookView.class);
    }

    /** Makes a webhook by an id that the caller has drawn, or changes it. */
    public WebhookView put(String id, WebhookRequest request) {
        return client.put(path(id), request, WebhookView.class);
    }

    public void remove(String id) {
        client.delete(path(id));
    }

    /** @param state null for all states */
    public List<DeliveryView> deliveries(String id, @Nullable DeliveryState state) {
        return client.all(new Query(path(id) + "/deliveries").with("state", state), DeliveryView.class);
    }

    public void redeliver(String id, long number) {
        client.post(path(id) + "/deliveries/" + number + ":redeliver", null, JsonNode.class);
    }
}
