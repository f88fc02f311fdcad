package dev.outpost.bench.backend;

import dev.outpost.rest.client.BackendClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** A backend whose only cluster has simulated machines. */
final class Paper {
    private static final int AT_ONCE = 16;
    private static final long PAUSE_NANOS = 200_000_000;

    private Paper() {}

    static MeasuredBackend start(Path folder, String... variables) throws IOException {
        String[] all = java.util.Arrays.copyOf(variables, variables.length + 2);
        all[variables.length] = "OUTPOST_BACKEND_LOCAL_ENABLED";
        all[variables.length + 1] = "false";
        MeasuredBackend backend = MeasuredBackend.start(folder, all);
        backend.client().put("/v1/clusters/paper", Map.of("provider", "paper"));
        return backend;
    }

    static void put(BackendClient client, String id) {
        client.put("/v1/machines/" + id, Map.of("gpu", "any", "life", "P1D"));
    }

    /** Creates machines, and waits until all are ready. */
    static String[] machines(BackendClient client, int count) {
        String[] ids = IntStream.range(0, count)
                .mapToObj(i -> UUID.randomUUID().toString())
                .toArray(String[]::new);
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            for (String id : ids) {
                threads.execute(() -> put(client, id));
            }
        }
        for (String id : ids) {
            awaitReady(client, id);
        }
        return ids;
    }

    static void awaitReady(BackendClient client, String id) {
        while (!client.get("/v1/machines/" + id).path("state").asText().equals("READY")) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
