package dev.outpost.rest.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.rest.worker.WorkerOrders;
import dev.outpost.rest.worker.WorkerPaired;
import dev.outpost.rest.worker.WorkerPairing;
import dev.outpost.rest.worker.WorkerReport;
import java.time.Duration;

/** Calls of a host that joins a backend. */
public record WorkersApi(BackendClient client) {
    private static final String PATH = "/v1/worker/";

    /** Pairs the host. The client sends the pairing code instead of a key. */
    public WorkerPaired join(WorkerPairing pairing) {
        return client.post(PATH + "join", pairing, WorkerPaired.class);
    }

    /** Returns the orders for the host once they have a later version, or the present orders after {@code atMost}. */
    public WorkerOrders orders(long after, Duration atMost) {
        return client.get(
                new Query(PATH + "orders").with("after", after).with("wait", atMost.toSeconds()), WorkerOrders.class);
    }

    /** Reports the machines of the host. */
    public void report(WorkerReport report) {
        client.post(PATH + "report", report, JsonNode.class);
    }
}
