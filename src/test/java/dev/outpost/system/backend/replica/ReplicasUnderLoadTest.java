package dev.outpost.system.backend.replica;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.backend.model.MachineEvent;
import dev.outpost.backend.model.usage.Ledger;
import dev.outpost.backend.model.usage.UsageInterval;
import dev.outpost.provider.outpost.OutpostProvider;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.machine.EventType;
import dev.outpost.rest.machine.Phase;
import dev.outpost.support.tests.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two replicas that are restarted one after the other, killed one by one and together, while machines start and end all the
 * time and a session computes: the session notices nothing, every machine starts, and every bill agrees with its events.
 */
@Tag("full")
class ReplicasUnderLoadTest {
    private static final int LOADERS = 2;

    @TempDir
    Path folder;

    private Replicas replicas;
    private final List<MachineLoad> loads = new ArrayList<>();

    @Test
    void nothingIsLostAndNothingIsDoubled() throws Exception {
        try (Replicas started = Replicas.start(folder, "OUTPOST_BACKEND_OBSERVE_EVERY", "2s");
                ExecutorService threads = Executors.newFixedThreadPool(LOADERS + 1)) {
            replicas = started;
            ComputingSession session = new ComputingSession();
            try (RemoteMachine machine =
                    RemoteMachine.of(new OutpostProvider(started::access), "any", new MachineOptions())) {
                Future<?> computing = threads.submit(() -> session.run(machine));
                List<Future<?>> loading = new ArrayList<>();
                for (int i = 0; i < LOADERS; i++) {
                    loads.add(new MachineLoad(new BackendClient(started.access())));
                    loading.add(threads.submit(loads.getLast()));
                }
                disturb();
                loads.forEach(MachineLoad::stop);
                for (Future<?> load : loading) {
                    load.get();
                }
                session.stop();
                computing.get();
            }
            System.out.println("longest pause of the session: " + session.longestPause());
            assertTrue(session.longestPause().compareTo(Duration.ofSeconds(10)) < 0, session::toString);
            checkBills(new BackendClient(started.access()));
            Await.until("no process is left", () -> processes() == 0);
        }
    }

    private void disturb() {
        awaitProgress("undisturbed");
        for (int replica = 0; replica < 2; replica++) {
            replicas.stop(replica);
            replicas.start(replica);
            awaitProgress("replica " + replica + " was restarted");
        }
        for (int replica = 0; replica < 2; replica++) {
            replicas.kill(replica);
            awaitProgress("replica " + replica + " was killed");
            replicas.start(replica);
        }
        replicas.kill(0);
        replicas.kill(1);
        replicas.start(0);
        awaitProgress("both were killed");
        replicas.start(1);
        awaitProgress("both are back");
    }

    /** Waits until earlier work and some later work is finished. */
    private void awaitProgress(String what) {
        long begin = System.nanoTime();
        int[] before = loads.stream().mapToInt(MachineLoad::finished).toArray();
        Await.until(
                () -> what + ", and the load stands still: " + loads,
                () -> Stream.iterate(0, i -> i < LOADERS, i -> i + 1)
                        .allMatch(i -> loads.get(i).finished() >= before[i] + 2));
        System.out.println(what + ": two more machines each after "
                + Duration.ofNanos(System.nanoTime() - begin).toMillis() + " ms");
    }

    private void checkBills(BackendClient client) {
        List<String> ids = loads.stream().flatMap(load -> load.ids().stream()).toList();
        for (String id : ids) {
            JsonNode row = client.get("/v1/machines/" + id);
            assertEquals("ENDED", row.path("state").asText(), row::toString);
            List<UsageInterval> computed = Ledger.usages(events(client, id)).stream()
                    .filter(usage -> !usage.to().equals(Optional.of(usage.from())))
                    .toList();
            JsonNode charged = client.get("/v1/usage/" + id).path("items");
            assertEquals(computed, usages(charged), () -> "machine " + id + ": " + charged);
        }
        System.out.println(ids.size() + " machines were started and ended");
    }

    private static List<MachineEvent> events(BackendClient client, String id) {
        List<MachineEvent> events = new ArrayList<>();
        client.get("/v1/machines/" + id + "/events?limit=500")
                .path("items")
                .forEach(event -> events.add(new MachineEvent(
                        EventType.valueOf(event.path("type").asText()),
                        Instant.parse(event.path("at").asText()),
                        Phase.valueOf(event.path("phase").asText()),
                        event.path("text").asText())));
        return events;
    }

    private static List<UsageInterval> usages(JsonNode charged) {
        List<UsageInterval> usages = new ArrayList<>();
        charged.forEach(item -> usages.add(new UsageInterval(
                Instant.parse(item.path("from").asText()),
                Optional.of(Instant.parse(item.path("to").asText())),
                item.path("began").asText(),
                Optional.of(item.path("ended").asText()))));
        return usages;
    }

    private long processes() {
        try (Stream<Path> all = Files.list(replicas.machines())) {
            return all.filter(machine -> !machine.getFileName().toString().startsWith("."))
                    .count();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
