package dev.outpost.bench.backend;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.provider.outpost.OutpostProvider;
import dev.outpost.rest.client.BackendClient;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Measures warm machines: the latency of a claim of simulated machines at a fixed rate, and the time to a first result on
 * this host.
 */
record Claims(int perSecond, int seconds, int rounds) implements BackendPart {
    private static final int WAITING = 150;
    private static final long LOOK_MILLIS = 20;

    @Override
    public void measure(Path folder, BiConsumer<String, Double> figures) throws Exception {
        claim(folder.resolve("paper"), figures);
        compute(folder.resolve("process"), figures);
    }

    private void claim(Path folder, BiConsumer<String, Double> figures) throws Exception {
        try (MeasuredBackend backend = Paper.start(folder)) {
            BackendClient client = backend.client();
            makePool(client, WAITING);
            AtomicInteger failed = new AtomicInteger();
            AtomicInteger warm = new AtomicInteger();
            Latencies claims = new OpenLoop(perSecond, seconds).run(number -> claim(client, warm), failed);
            figures.accept("claim_p50_ms", claims.quantile(0.5));
            figures.accept("claim_p99_ms", claims.quantile(0.99));
            figures.accept("claim_warm_share", (double) warm.get() / (perSecond * seconds));
            figures.accept("claim_failed", (double) failed.get());
        }
    }

    private static void claim(BackendClient client, AtomicInteger warm) {
        String id = UUID.randomUUID().toString();
        JsonNode made =
                client.put("/v1/machines/" + id, Map.of("gpu", "any", "lease", "PT1M", "tokenSha256", "ab".repeat(32)));
        if (made.path("state").asText().equals("STARTING")
                || made.path("state").asText().equals("READY")) {
            warm.incrementAndGet();
        }
    }

    private void compute(Path folder, BiConsumer<String, Double> figures) throws Exception {
        try (MeasuredBackend backend = MeasuredBackend.start(folder)) {
            OutpostProvider provider = new OutpostProvider(backend::access);
            Latencies starts = new Latencies();
            for (int i = 0; i <= rounds; i++) {
                makePool(backend.client(), 1);
                long took = ColdStarts.start(provider);
                if (i > 0) {
                    starts.add(took);
                }
            }
            figures.accept("warm_start_p50_ms", starts.quantile(0.5));
            figures.accept("warm_start_max_ms", starts.quantile(1));
        }
    }

    /** Waits until the pool has that many machines. */
    private static void makePool(BackendClient client, int count) throws InterruptedException {
        client.put("/v1/pools/warm", Map.of("gpu", "any", "min", count, "max", Math.min(1_000, 4 * count)));
        while (client.get("/v1/pools/warm").path("members").findValuesAsText("phase").stream()
                        .filter("READY"::equals)
                        .count()
                < count) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }
}
