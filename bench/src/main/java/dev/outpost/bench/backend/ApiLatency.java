package dev.outpost.bench.backend;

import dev.outpost.rest.client.BackendClient;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Measures the latency of requests at a fixed rate. Of ten requests, six read a machine, two read the list, one plans, and
 * one creates a machine.
 */
record ApiLatency(int perSecond, int seconds) implements BackendPart {
    private static final int WARM_UP_SECONDS = 10;

    @Override
    public void measure(Path folder, BiConsumer<String, Double> figures) throws Exception {
        try (MeasuredBackend backend = Paper.start(folder)) {
            BackendClient client = backend.client();
            String[] machines = Paper.machines(client, 100);
            AtomicInteger failed = new AtomicInteger();
            new OpenLoop(perSecond, WARM_UP_SECONDS).run(number -> ask(client, machines, number), failed);
            failed.set(0);
            Latencies latencies = new OpenLoop(perSecond, seconds).run(number -> ask(client, machines, number), failed);
            figures.accept("api_p50_ms", latencies.quantile(0.5));
            figures.accept("api_p99_ms", latencies.quantile(0.99));
            figures.accept("api_failed", (double) failed.get());
        }
    }

    private static void ask(BackendClient client, String[] machines, int number) {
        switch (number % 10) {
            case 0, 1 -> client.get("/v1/machines");
            case 2 -> client.post("/v1/machines:plan", Map.of("gpu", "any"));
            case 3 -> Paper.put(client, UUID.randomUUID().toString());
            default -> client.get("/v1/machines/" + machines[number % machines.length]);
        }
    }
}
