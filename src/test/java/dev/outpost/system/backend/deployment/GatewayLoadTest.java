package dev.outpost.system.backend.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.BackendHost;
import dev.outpost.system.backend.host.GatewayProcess;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests streams of a gateway while its deployment is rolled out, replicas are killed, and it is scaled down. */
@Tag("full")
class GatewayLoadTest {
    private static final Path FIXTURE = Path.of("..", "..", "models", "src", "test", "resources", "fixtures", "text");
    private static final int CALLERS = 4;
    private static final int TOKENS = 40;

    @TempDir
    Path folder;

    private final AtomicInteger whole = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private volatile boolean isOver;

    private String model(String name) throws IOException {
        Path copy = Files.createDirectory(folder.resolve(name));
        try (Stream<Path> files = Files.list(FIXTURE)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        return "file:" + copy;
    }

    private static void set(BackendHost backend, String model, int replicas) {
        backend.client()
                .put("/v1/deployments/chat", Map.of("model", model, "min", replicas, "max", replicas, "idle", "PT10M"));
    }

    private static JsonNode deployment(BackendHost backend) {
        return backend.client().get("/v1/deployments/chat");
    }

    private static long serving(BackendHost backend, int revision) {
        long count = 0;
        for (JsonNode replica : deployment(backend).path("replicas")) {
            boolean isServing =
                    replica.path("gateways").findValuesAsText("state").contains("SERVING");
            count += isServing && replica.path("revision").asInt() == revision && !replica.has("drainingSince") ? 1 : 0;
        }
        return count;
    }

    private static void awaitThat(BackendHost backend, BooleanSupplier condition) {
        Await.until(() -> deployment(backend).toString() + backend.errors(), condition::getAsBoolean);
    }

    /** Requests one stream after the other; each ends completely, or reports that it failed. */
    private Void ask(GatewayProcess gateway, String key) {
        while (!isOver) {
            HttpResponse<String> answer = gateway.stream(key, "chat", TOKENS);
            String body = answer.body();
            boolean isWhole = answer.statusCode() == 200 && body.contains("\"length\"") && body.contains("[DONE]");
            boolean isToldOf = body.contains("\"error\"") && body.contains("\"message\"");
            assertTrue(isWhole || isToldOf, () -> answer.statusCode() + ": " + body + gateway.errors());
            (isWhole ? whole : failed).incrementAndGet();
        }
        return null;
    }

    /** Kills the process of one replica as {@code kill -9} does. */
    private void killOne(BackendHost backend) throws IOException {
        String machine =
                deployment(backend).path("replicas").path(0).path("machine").asText();
        try (Stream<Path> files = Files.walk(folder.resolve("backend"))) {
            Path state = files.filter(file -> file.getFileName().toString().equals("process")
                            && file.toString().contains(machine))
                    .findFirst()
                    .orElseThrow();
            long process = Long.parseLong(Files.readAllLines(state).getFirst());
            ProcessHandle.of(process).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private void awaitStreams(int more) {
        int before = whole.get();
        Await.until(() -> whole + " whole, " + failed + " failed", () -> whole.get() >= before + more);
    }

    @Test
    void streamsEndWholeOrWithAnErrorWhateverHappensToReplicas() throws Exception {
        try (BackendHost backend = BackendHost.start(
                        folder.resolve("backend"),
                        "OUTPOST_PROCESS_SOURCES",
                        "file:" + folder,
                        "OUTPOST_BACKEND_OBSERVE_EVERY",
                        "1s");
                GatewayProcess gateway = GatewayProcess.start(backend.access());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            String key = backend.access().key();
            set(backend, model("first"), 2);
            List<Future<Void>> callers = new ArrayList<>();
            for (int caller = 0; caller < CALLERS; caller++) {
                callers.add(threads.submit(() -> ask(gateway, key)));
            }
            try {
                awaitThat(backend, () -> serving(backend, 1) == 2);
                awaitStreams(CALLERS);
                String second = model("second");
                set(backend, second, 2);
                awaitThat(backend, () -> serving(backend, 2) == 2);
                awaitStreams(CALLERS);
                assertEquals(0, failed.get(), "no stream fails because a revision rolls");

                killOne(backend);
                awaitStreams(2 * CALLERS);
                awaitThat(backend, () -> serving(backend, 2) == 2);

                int failedBefore = failed.get();
                set(backend, second, 1);
                awaitThat(backend, () -> deployment(backend).path("replicas").size() == 1);
                awaitStreams(CALLERS);
                assertEquals(failedBefore, failed.get(), "scaling down cuts no stream");
            } finally {
                isOver = true;
            }
            for (Future<Void> caller : callers) {
                caller.get();
            }
        }
    }
}
