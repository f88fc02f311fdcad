package dev.outpost.serving.gateway;

import dev.outpost.rest.client.BackendClient;
import dev.outpost.serving.config.ServingConfig;
import dev.outpost.serving.engine.ModelDirectory;
import dev.outpost.serving.engine.ModelLoader;
import dev.outpost.serving.engine.ServedModel;
import dev.outpost.serving.engine.ServingMetrics;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** The deployments of a backend. While the backend is unreachable, serving replicas continue. Thread-safe. */
public final class GatewayModels implements ModelDirectory {
    /** The longest time that an exchange with the backend may take, its body included. */
    private static final Duration EXCHANGE = Duration.ofSeconds(10);

    private final ReplicaSet replicas;
    private final HeldRequests requests;
    private final BackendExchange exchange;

    public GatewayModels(ServingConfig config, ServingMetrics metrics, GatewayRequest request) {
        ColdStartTimer coldStarts = new ColdStartTimer(System::nanoTime);
        metrics.onFirstToken(coldStarts::made);
        ModelLoader loader = new ModelLoader(config, metrics);
        replicas = new ReplicaSet(
                (deployment, order) -> new AttachedReplica(deployment, order, loader, this::wake), metrics);
        requests = new HeldRequests(config, request, replicas, coldStarts, System::nanoTime);
        exchange = new BackendExchange(requests, replicas, coldStarts);
    }

    private void wake() {
        requests.wake();
    }

    @Override
    public void start(Consumer<List<String>> whenReady) {
        start(BackendClient.configured().within(EXCHANGE), whenReady);
    }

    void start(BackendClient backend, Consumer<List<String>> whenReady) {
        exchange.start(backend, whenReady);
    }

    @Override
    public List<String> names() {
        return requests.visibleNames();
    }

    @Override
    public boolean isReady() {
        return exchange.isConnected();
    }

    @Override
    public String whyNotReady() {
        return "the backend has not answered yet";
    }

    @Override
    public ServedModel await(String name) {
        return requests.await(name);
    }

    @Override
    public void close() {
        requests.close();
        replicas.close();
    }
}
