package dev.outpost.serving.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jboss.logging.Logger;

/** Reports demand and replicas to the backend, again and again, and carries out what it answers. Its thread alone calls {@link #exchange}. */
final class BackendExchange {
    private static final Logger LOG = Logger.getLogger(BackendExchange.class);
    private static final String INCOMPLETE = "its answer is no list of deployments; replicas go on";

    private final String id = "gw-" + UUID.randomUUID().toString().substring(0, 12);
    private final HeldRequests requests;
    private final ReplicaSet replicas;
    private final ColdStartTimer coldStarts;
    /** Deployments of which the backend believes that requests wait or that replicas exist. */
    private final Set<String> reported = new HashSet<>();

    private boolean takesFirstTokens;
    private volatile boolean isConnected;

    BackendExchange(HeldRequests requests, ReplicaSet replicas, ColdStartTimer coldStarts) {
        this.requests = requests;
        this.replicas = replicas;
        this.coldStarts = coldStarts;
    }

    /** Whether the backend has ever answered. */
    boolean isConnected() {
        return isConnected;
    }

    void start(BackendClient backend, Consumer<List<String>> whenConnected) {
        start(report -> backend.put("/v1/gateways/" + id, report), whenConnected);
    }

    /** @param backend as {@link #exchange} has it */
    void start(Function<Map<String, Object>, JsonNode> backend, Consumer<List<String>> whenConnected) {
        Thread.ofPlatform().name("outpost-gateway").daemon().start(() -> run(backend, whenConnected));
    }

    private void run(Function<Map<String, Object>, JsonNode> backend, Consumer<List<String>> whenConnected) {
        String trouble = "";
        do {
            String before = trouble;
            trouble = exchangeOnce(backend, whenConnected, before);
            if (!trouble.isEmpty() && !trouble.equals(before)) {
                LOG.warnf("the backend: %s", trouble);
            }
        } while (requests.awaitNextExchange());
    }

    /**
     * Answers why an exchange failed; empty if it succeeded. The thread outlives each failure, since requests would wait without it.
     *
     * @param before the answer for the exchange before, which is not logged again
     */
    private String exchangeOnce(
            Function<Map<String, Object>, JsonNode> backend, Consumer<List<String>> whenConnected, String before) {
        try {
            if (!exchange(backend)) {
                return INCOMPLETE;
            }
            if (!isConnected) {
                isConnected = true;
                whenConnected.accept(requests.names());
            }
            return "";
        } catch (BackendException failure) {
            return failure.getMessage();
        } catch (RuntimeException | Error failure) {
            if (!failure.toString().equals(before)) {
                LOG.error("a defect; the exchange is tried again", failure);
            }
            return failure.toString();
        }
    }

    /**
     * One report and its answer.
     *
     * @param backend takes a report, and gives the answer
     * @return false if the answer is none that a backend gives; then nothing changes
     */
    boolean exchange(Function<Map<String, Object>, JsonNode> backend) {
        Set<AttachedReplica> loaded = new HashSet<>();
        Map<String, Duration> firstTokens = new HashMap<>();
        Map<String, Integer> demand = requests.demand();
        Set<String> names = new HashSet<>(reported);
        names.addAll(demand.keySet());
        names.addAll(replicas.deployments());
        List<Map<String, Object>> deployments = new ArrayList<>();
        names.forEach(name -> deployments.add(report(name, demand.getOrDefault(name, 0), loaded, firstTokens)));
        Optional<DesiredDeployments> answer = Optional.empty();
        try {
            answer = DesiredDeployments.read(backend.apply(Map.of("deployments", deployments)));
            answer.ifPresent(desired -> accept(desired, loaded));
            return answer.isPresent();
        } finally {
            if (answer.isEmpty()) {
                // The next report repeats what the backend may not have taken.
                reported.addAll(names);
                firstTokens.forEach(coldStarts::putBack);
            }
        }
    }

    /**
     * The report of one deployment.
     *
     * @param loaded takes the replicas that the report calls loaded
     * @param firstTokens takes the time to the first token that the report tells
     */
    private Map<String, Object> report(
            String name, int demand, Set<AttachedReplica> loaded, Map<String, Duration> firstTokens) {
        List<AttachedReplica> own = replicas.of(name);
        own.stream().filter(AttachedReplica::isLoaded).forEach(loaded::add);
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("name", name);
        report.put("held", demand);
        if (takesFirstTokens) {
            coldStarts.take(name).ifPresent(took -> {
                firstTokens.put(name, took);
                report.put("zeroToToken", took.toString());
            });
        }
        report.put("replicas", own.stream().map(AttachedReplica::report).toList());
        if (own.isEmpty() && demand == 0) {
            reported.remove(name);
        } else {
            reported.add(name);
        }
        return report;
    }

    private void accept(DesiredDeployments desired, Set<AttachedReplica> loaded) {
        takesFirstTokens = desired.takesFirstTokens();
        replicas.carryOut(desired, loaded);
        requests.accept(desired);
    }
}
