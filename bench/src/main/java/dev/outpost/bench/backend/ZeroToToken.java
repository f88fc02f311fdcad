package dev.outpost.bench.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.bench.files.TemporaryFolder;
import dev.outpost.bench.serving.RandomModel;
import dev.outpost.rest.client.BackendClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * Measures the time from a request for a deployment without a replica to its first token: with weights from a hub on
 * loopback, with weights in this host's cache, and with cached weights on a machine that waited in a pool.
 */
record ZeroToToken(int layers, int rounds) implements BackendPart {
    private static final String NAME = "chat";
    private static final long LOOK_MILLIS = 50;

    @Override
    public void measure(Path folder, BiConsumer<String, Double> figures) throws Exception {
        Path model = Files.createDirectories(folder.resolve("model"));
        new RandomModel(layers).write(model);
        RandomModel.writeLetters(model);
        Path cache = Files.createDirectories(folder.resolve("cache"));
        try (LocalHub hub = LocalHub.start(model);
                MeasuredBackend backend = MeasuredBackend.start(
                        folder.resolve("backend"),
                        "HF_ENDPOINT",
                        hub.address(),
                        "OUTPOST_PROCESS_SOURCES",
                        LocalHub.MODEL,
                        "OUTPOST_PROCESS_SOURCES_CACHE",
                        cache.toString());
                MeasuredGateway gateway = MeasuredGateway.start(backend, folder)) {
            backend.client().put("/v1/deployments/" + NAME, Map.of("model", LocalHub.MODEL, "max", 1, "idle", "PT1S"));
            figures.accept("model_mb", Files.size(model.resolve("model.safetensors")) / 1e6);
            Latencies cold = new Latencies();
            Latencies cached = new Latencies();
            for (int round = 0; round < rounds; round++) {
                TemporaryFolder.empty(cache);
                cold.add(fromZero(backend.client(), gateway));
                cached.add(fromZero(backend.client(), gateway));
            }
            report("zero_to_token_cold", cold, figures);
            report("zero_to_token_cached", cached, figures);
            Latencies warm = new Latencies();
            for (int round = 0; round < rounds; round++) {
                fill(backend.client());
                warm.add(fromZero(backend.client(), gateway));
            }
            report("zero_to_token_pool", warm, figures);
        }
    }

    private static void report(String name, Latencies times, BiConsumer<String, Double> figures) {
        figures.accept(name + "_p50_ms", times.quantile(0.5));
        figures.accept(name + "_max_ms", times.quantile(1));
    }

    private static long fromZero(BackendClient client, MeasuredGateway gateway) throws Exception {
        long took = gateway.firstToken(NAME);
        while (!client.get("/v1/deployments/" + NAME).path("replicas").isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        return took;
    }

    /** Fills the pool with one machine, under the lease that replicas have. */
    private static void fill(BackendClient client) throws InterruptedException {
        client.put("/v1/pools/warm", Map.of("gpu", "any", "lease", "PT2M", "min", 1, "max", 1));
        while (!isReady(client.get("/v1/pools/warm"))) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private static boolean isReady(JsonNode pool) {
        return pool.path("members").findValuesAsText("phase").contains("READY");
    }
}
