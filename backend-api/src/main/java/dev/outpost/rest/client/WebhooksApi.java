package dev.outpost.rest.client;

import dev.outpost.rest.webhook.DeliveryState;
import dev.outpost.rest.webhook.DeliveryView;
import dev.outpost.rest.webhook.WebhookRequest;
import dev.outpost.rest.webhook.WebhookView;
import java.util.List;

/** Calls about the addresses that events are sent to. */
public record WebhooksApi(BackendClient client) {
    private static final String PATH = "/v1/webhooks";

    private static String path(String id) {
        return PATH + "/" + id;
    }

    public List<WebhookView> list() {
        return client.all(new Query(PATH), WebhookView.class);
    }

    /** Makes one by an id that the caller draws, or changes it. */
    public WebhookView put(String id, WebhookRequest request) {
        return client.put(path(id), request, WebhookView.class);
    }

    public void remove(String id) {
        client.delete(path(id));
    }

    /** @param state all if it is null */
    public List<DeliveryView> deliveries(String id, DeliveryState state) {
        return client.all(new Query(path(id) + "/deliveries").with("state", state), DeliveryView.class);
    }

    public void redeliver(String id, long number) {
        client.post(path(id) + "/deliveries/" + number + ":redeliver", null, DeliveryView.class);
    }
}
