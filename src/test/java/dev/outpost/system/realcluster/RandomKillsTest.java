package dev.outpost.system.realcluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.support.tests.Await;
import dev.outpost.system.backend.host.GatewayProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Programs use machines, and a gateway answers, while random parts of the system are killed. No result is wrong, nothing is left at the
 * end, and no machine is charged for longer than it existed. The system property {@code kills.seed} repeats a run.
 */
@Tag("real-cluster")
class RandomKillsTest {
    private static final int CLIENTS = 2;

    /** The clock of the charge has whole seconds; a pod exists a moment before its folder is seen and after it was seen last. */
    private static final Duration IMPRECISION = Duration.ofSeconds(2);

    /** The part that is killed. */
    private enum Victim {
        CLIENT,
        RUNTIME,
        POD,
        KUBELET,
        API_SERVER,
        ETCD,
        REPLICA,
        DATABASE,
        RELAY,
        GATEWAY
    }

    private final long seed = Long.getLong("kills.seed", System.nanoTime());
    private final RandomGenerator random =
            RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    private final ConcurrentMap<String, AtomicInteger> outcomes = new ConcurrentHashMap<>();
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final List<Process> clients = new ArrayList<>();
    private DeployedBackend backend;
    private Scripts scripts;
    private volatile GatewayProcess gateway;
    private volatile boolean isOver;

    @Test
    void fortyKillsLeaveNothingAndChargeNothingThatWasNotThere() throws IOException, InterruptedException {
        kill(40);
    }

    @Test
    @Tag("full")
    void hundredKillsLeaveNothingAndChargeNothingThatWasNotThere() throws IOException, InterruptedException {
        kill(100);
    }

    private void kill(int count) throws IOException, InterruptedException {
        backend = DeployedBackend.open();
        scripts = backend.scripts;
        Set<String> before = Set.copyOf(usage().findValuesAsText("machine"));
        Map<Victim, Integer> killed = new TreeMap<>();
        backend.client()
                .put(
                        "/v1/deployments/kills",
                        Map.of("model", "file:/models/text", "gpu", "any", "min", 0, "max", 1, "idle", "PT10S"));
        gateway = GatewayProcess.start(backend.access());
        try (PodLifetimes lifetimes = new PodLifetimes(scripts)) {
            Thread caller = Thread.ofVirtual().start(this::call);
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(startClient());
            }
            for (int i = 0; i < count; i++) {
                Thread.sleep(random.nextLong(1_000, 9_000));
                Victim victim = Victim.values()[random.nextInt(Victim.values().length)];
                kill(victim);
                killed.merge(victim, 1, Integer::sum);
            }
            awaitWork();
            isOver = true;
            clients.forEach(Process::destroyForcibly);
            gateway.kill();
            caller.join();
            removeDeployment();
            backend.awaitNothingLeft();
            System.out.println("seed " + seed + ", killed " + killed + "\n" + new TreeMap<>(outcomes));
            assertEquals(List.of(), wrong);
            checkCharges(before, lifetimes);
        } finally {
            isOver = true;
            clients.forEach(Process::destroyForcibly);
            gateway.kill();
        }
    }

    /** As far as the backend knows, a killed gateway may still run elsewhere, so its replicas would drain for ten minutes. */
    private void removeDeployment() {
        backend.client().delete("/v1/deployments/kills");
        for (JsonNode machine : backend.machines()) {
            backend.client().post("/v1/machines/" + machine.path("id").asText() + ":end", Map.of());
        }
    }

    private Process startClient() throws IOException {
        Process client = RestlessClient.start(backend.environment());
        // On a platform thread, because a read from a pipe blocks the carrier of a virtual thread.
        Thread.ofPlatform().daemon().start(() -> listen(client.inputReader()));
        return client;
    }

    private void listen(BufferedReader lines) {
        try (lines) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                count("client "
                        + line.replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "ID").replaceAll("\\d+", "N"));
                if (line.startsWith("WRONG") || line.contains("Exception") || line.contains("null")) {
                    wrong.add(line);
                }
            }
        } catch (IOException ignored) {
            count("client killed");
        }
    }

    private void count(String outcome) {
        outcomes.computeIfAbsent(outcome, one -> new AtomicInteger()).incrementAndGet();
    }

    /** The gateway answers, or reports that it cannot answer for a while. */
    private void ask() {
        HttpResponse<String> answer = gateway.complete(backend.access().key(), "kills", 4);
        count("gateway " + answer.statusCode());
        if (answer.statusCode() != 200 && answer.statusCode() != 503) {
            wrong.add("gateway " + answer.statusCode() + ": " + answer.body());
        }
    }

    private void call() {
        while (!isOver) {
            try {
                ask();
            } catch (UncheckedIOException ignored) {
                count("gateway away");
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(100);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void kill(Victim victim) throws IOException, InterruptedException {
        System.out.println(LocalTime.now() + " kill " + victim);
        switch (victim) {
            case CLIENT -> {
                int index = random.nextInt(CLIENTS);
                clients.get(index).destroyForcibly().onExit().join();
                clients.set(index, startClient());
            }
            case RUNTIME ->
                one("outpost", "app.kubernetes.io/name=outpost-machine")
                        .ifPresent(pod -> scripts.succeeds("fault", "kill-pod", "outpost", pod));
            case POD ->
                one("outpost", "app.kubernetes.io/name=outpost-machine")
                        .ifPresent(pod -> scripts.kubectl(
                                "-n", "outpost", "delete", "pod", pod, "--wait=false", "--ignore-not-found"));
            case KUBELET -> restart("kubelet");
            case API_SERVER -> restart("apiserver");
            case ETCD -> restart("etcd");
            case DATABASE -> restart("postgres");
            case REPLICA ->
                one("outpost-backend", "app.kubernetes.io/name=outpost-backend")
                        .ifPresent(pod -> scripts.succeeds("fault", "kill-pod", "outpost-backend", pod));
            case RELAY ->
                one("outpost-backend", "app.kubernetes.io/name=outpost-relay")
                        .ifPresent(pod -> scripts.succeeds("fault", "kill-pod", "outpost-backend", pod));
            case GATEWAY -> {
                gateway.kill();
                gateway = GatewayProcess.start(backend.access());
            }
        }
    }

    private void restart(String component) throws InterruptedException {
        scripts.fault("kill", component);
        Thread.sleep(random.nextLong(3_000));
        scripts.fault("start", component);
        Await.until(
                component + " is back",
                () -> scripts.succeeds(
                        "client", "-u", "admin", "kubectl", "get", "--raw", "/readyz", "--request-timeout=2s"));
    }

    /** A pod with the label, drawn at random. */
    private Optional<String> one(String namespace, String label) {
        List<String> pods = Stream.of(scripts.kubectl(
                                "-n",
                                namespace,
                                "get",
                                "pods",
                                "-l",
                                label,
                                "--field-selector=status.phase=Running",
                                "-o",
                                "jsonpath={.items[*].metadata.name}")
                        .split(" "))
                .filter(name -> !name.isEmpty())
                .toList();
        return pods.isEmpty() ? Optional.empty() : Optional.of(pods.get(random.nextInt(pods.size())));
    }

    /** After the last kill, clients get machines again. */
    private void awaitWork() {
        int before =
                outcomes.getOrDefault("client computed", new AtomicInteger()).get();
        backend.await(
                () -> "after the kills nothing is computed: " + outcomes,
                () -> outcomes.getOrDefault("client computed", new AtomicInteger())
                                .get()
                        > before + CLIENTS);
    }

    private JsonNode usage() {
        return backend.client().get("/v1/usage?limit=500").path("items");
    }

    private void checkCharges(Set<String> before, PodLifetimes lifetimes) {
        int charged = 0;
        for (JsonNode machine : usage()) {
            String id = machine.path("machine").asText();
            Duration charge = Duration.ofSeconds(machine.path("gpuSeconds").asLong());
            if (!before.contains(id)) {
                charged++;
                assertTrue(
                        charge.compareTo(lifetimes.of(id).plus(IMPRECISION)) <= 0,
                        () -> id + " existed for " + lifetimes.of(id) + " and was charged " + machine + "; seed "
                                + seed);
            }
        }
        assertTrue(charged > 0, "no machine of this run was charged");
    }
}
