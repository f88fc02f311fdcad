package dev.outpost.system.backend.replica;

import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Starts and ends machines repeatedly, like a program that repeats requests without an answer. */
final class MachineLoad implements Callable<Void> {
    private static final Duration OUTAGE = Duration.ofSeconds(120);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final BackendClient client;
    private final List<String> ids = new CopyOnWriteArrayList<>();
    private final AtomicInteger finished = new AtomicInteger();
    private volatile boolean stopped;
    private volatile String now = "";

    MachineLoad(BackendClient client) {
        this.client = client;
    }

    @Override
    public Void call() throws InterruptedException {
        while (!stopped) {
            String id = UUID.randomUUID().toString();
            ids.add(id);
            now = "starts " + id;
            ask(it -> it.put("/v1/machines/" + id, Map.of("gpu", "any", "life", "PT10M")));
            await(id, "READY");
            now = "ends " + id;
            ask(it -> it.post("/v1/machines/" + id + ":end", Map.of()));
            await(id, "ENDED");
            finished.incrementAndGet();
        }
        return null;
    }

    private void await(String id, String state) throws InterruptedException {
        while (!state.equals(
                ask(it -> it.get("/v1/machines/" + id)).path("state").asText())) {
            Thread.sleep(PAUSE);
        }
    }

    private <T> T ask(Function<BackendClient, T> question) throws InterruptedException {
        long end = System.nanoTime() + OUTAGE.toNanos();
        while (true) {
            try {
                return question.apply(client);
            } catch (BackendException failure) {
                if (!failure.isRetryable() || System.nanoTime() > end) {
                    throw failure;
                }
                Thread.sleep(PAUSE);
            }
        }
    }

    void stop() {
        stopped = true;
    }

    int finished() {
        return finished.get();
    }

    List<String> ids() {
        return List.copyOf(ids);
    }

    @Override
    public String toString() {
        return finished + " machines; it " + now;
    }
}
