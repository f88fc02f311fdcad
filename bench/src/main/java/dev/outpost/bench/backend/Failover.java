package dev.outpost.bench.backend;

import dev.outpost.rest.client.BackendClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * Measures the time from the death of the replica that starts machines until the other replica has made all of them ready.
 */
record Failover(int rounds) implements BackendPart {
    private static final int MACHINES = 4;
    /** The time after which the dead replica has taken the rows but not finished with them. */
    private static final long HEAD_START_NANOS = 300_000_000;

    private static final String[] ROOM = {"OUTPOST_BACKEND_LOCAL_MACHINES", "8"};

    @Override
    public void measure(Path folder, BiConsumer<String, Double> figures) throws Exception {
        Latencies times = new Latencies();
        try (MeasuredBackend first = MeasuredBackend.start(folder, ROOM)) {
            for (int round = 0; round < rounds; round++) {
                MeasuredBackend doomed = MeasuredBackend.beside(first, folder, ROOM);
                BackendClient client = doomed.client();
                List<String> ids = new ArrayList<>();
                for (int i = 0; i < MACHINES; i++) {
                    ids.add(UUID.randomUUID().toString());
                    client.put("/v1/machines/" + ids.getLast(), Map.of("gpu", "any", "life", "PT10M"));
                }
                LockSupport.parkNanos(HEAD_START_NANOS);
                doomed.kill();
                long begin = System.nanoTime();
                ids.forEach(id -> Paper.awaitReady(first.client(), id));
                times.add(System.nanoTime() - begin);
                ids.forEach(id -> first.client().post("/v1/machines/" + id + ":end", Map.of()));
            }
        }
        figures.accept("failover_p50_ms", times.quantile(0.5));
        figures.accept("failover_max_ms", times.quantile(1));
    }
}
