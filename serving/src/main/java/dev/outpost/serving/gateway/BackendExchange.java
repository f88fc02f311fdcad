package dev.outpost.serving.gateway;

import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import dev.outpost.rest.client.GatewaysApi;
import dev.outpost.rest.deployment.GatewayOrders;
import dev.outpost.rest.deployment.GatewayReport;
import dev.outpost.rest.deployment.GatewayReport.DeploymentReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Repeatedly reports demand and replicas to the backend, and carries out the orders in its answers. Only its own thread calls
 * {@link #exchange}.
 */
final class BackendExchange {
    private static final Logger LOG = Logger.getLogger(BackendExchange.class);

    private final String id = "gw-" + UUID.randomUUID().toString().substring(0, 12);
    private final HeldRequests requests;
    private final ReplicaSet replicas;
    private final ColdStartTimer coldStarts;
    /** The names of the deployments with waiting requests or replicas in the last reports. */
    private final Set<String> reported = new HashSet<>();

    private boolean takesFirstTokens;
    private volatile boolean isConnected;

    BackendExchange(HeldRequests requests, ReplicaSet replicas, ColdStartTimer coldStarts) {
        this.requests = requests;
        this.replicas = replicas;
        this.coldStarts = coldStarts;
    }

    /** True if the backend has answered at least once. */
    boolean isConnected() {
        return isConnected;
    }

    void start(BackendClient backend, Consumer<List<String>> whenConnected) {
        start(report -> new GatewaysApi(backend).report(id, report), whenConnected);
    }

    /** @param backend sends a report, and returns the orders */
    void start(Function<GatewayReport, GatewayOrders> backend, Consumer<List<String>> whenConnected) {
        Thread.ofPlatform().name("outpost-gateway").daemon().start(() -> run(backend, whenConnected));
    }

    private void run(Function<GatewayReport, GatewayOrders> backend, Consumer<List<String>> whenConnected) {
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
     * Makes one exchange. Returns the reason if it failed; empty if it succeeded. Failures do not end the thread, because requests would
     * then wait for ever.
     *
     * @param before the result of the previous exchange; the same reason is not logged again
     */
    private String exchangeOnce(
            Function<GatewayReport, GatewayOrders> backend, Consumer<List<String>> whenConnected, String before) {
        try {
            exchange(backend);
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
     * Sends one report and handles the answer. An invalid answer is a failure, and changes nothing.
     *
     * @param backend sends a report, and returns the answer
     */
    void exchange(Function<GatewayReport, GatewayOrders> backend) {
        Set<AttachedReplica> loaded = new HashSet<>();
        Map<String, Duration> firstTokens = new HashMap<>();
        Map<String, Integer> demand = requests.demand();
        Set<String> names = new HashSet<>(reported);
        names.addAll(demand.keySet());
        names.addAll(replicas.deployments());
        List<DeploymentReport> deployments = new ArrayList<>();
        names.forEach(name -> deployments.add(report(name, demand.getOrDefault(name, 0), loaded, firstTokens)));
        boolean isAnswered = false;
        try {
            DesiredDeployments desired = DesiredDeployments.of(backend.apply(new GatewayReport(deployments)));
            isAnswered = true;
            accept(desired, loaded);
        } finally {
            if (!isAnswered) {
                // The next report repeats these names, because the backend may not have received this one.
                reported.addAll(names);
                firstTokens.forEach(coldStarts::putBack);
            }
        }
    }

    /**
     * Returns the report of one deployment.
     *
     * @param loaded receives the replicas that the report calls loaded
     * @param firstTokens receives the time to the first token in the report
     */
    private DeploymentReport report(
            String name, int demand, Set<AttachedReplica> loaded, Map<String, Duration> firstTokens) {
        List<AttachedReplica> own = replicas.of(name);
        own.stream().filter(AttachedReplica::isLoaded).forEach(loaded::add);
        Optional<Duration> took = takesFirstTokens ? coldStarts.take(name) : Optional.empty();
        took.ifPresent(time -> firstTokens.put(name, time));
        if (own.isEmpty() && demand == 0) {
            reported.remove(name);
        } else {
            reported.add(name);
        }
        return new DeploymentReport(
                name,
                demand,
                took.orElse(null),
                own.stream().map(AttachedReplica::report).toList());
    }

    private void accept(DesiredDeployments desired, Set<AttachedReplica> loaded) {
        takesFirstTokens = desired.takesFirstTokens();
        replicas.carryOut(desired, loaded);
        requests.accept(desired);
    }
}
