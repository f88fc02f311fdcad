package dev.outpost.serving.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.models.batch.QueueFullException;
import dev.outpost.provider.outpost.BackendClient;
import dev.outpost.provider.outpost.BackendException;
import dev.outpost.serving.config.ServingConfig;
import dev.outpost.serving.engine.ModelGateway;
import dev.outpost.serving.engine.ModelLoader;
import dev.outpost.serving.engine.ServedModel;
import dev.outpost.serving.engine.ServingMetrics;
import dev.outpost.serving.engine.UnavailableException;
import dev.outpost.serving.engine.UnknownModelException;
import dev.outpost.serving.gateway.DesiredDeployments.Order;
import dev.outpost.serving.gateway.DesiredDeployments.ReplicaOrder;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Holds requests until a replica serves, and sends each to the one with the fewest. A thread reports to the backend all that there is, again
 * and again, and carries out what it answers. While the backend is away, replicas that serve go on. Thread-safe.
 */
@Singleton
public final class DeploymentGateway implements ModelGateway {
    private static final Logger LOG = Logger.getLogger(DeploymentGateway.class);
    /** The shortest pause between two exchanges. */
    private static final Duration LEAST = Duration.ofMillis(20);

    private static final Duration BUSY = Duration.ofMillis(200);
    private static final Duration QUIET = Duration.ofSeconds(1);
    /** Starts that fail before requests are told so, instead of being held. */
    private static final int FAILURES = 3;

    /** How long the backend may be away before requests are told so, instead of being held. */
    private static final Duration AWAY = Duration.ofSeconds(30);

    /** How long an exchange with the backend may take, its body included. */
    private static final Duration EXCHANGE = Duration.ofSeconds(10);

    /** How often a request that is held is looked after. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final Duration NEWS = Duration.ofSeconds(3);
    private static final String INCOMPLETE = "its answer is no list of deployments; replicas go on";
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final String id = "gw-" + UUID.randomUUID().toString().substring(0, 12);
    private final ServingConfig config;
    private final ServingMetrics metrics;
    private final GatewayRequest request;
    private final ModelLoader loader;

    /**
     * Guards what follows. Requests wait on virtual threads, which in some versions of the JDK never return from a timed
     * {@link Object#wait(long)} (JDK-8373120).
     */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();
    private final Map<String, Map<String, AttachedReplica>> replicas = new HashMap<>();
    private final Map<String, Integer> held = new HashMap<>();
    /** When a request was refused last because replicas do not start. */
    private final Map<String, Long> refused = new HashMap<>();
    /** Deployments of which the backend believes that requests wait or that replicas exist. */
    private final Set<String> told = new HashSet<>();

    private final ColdStartTimer coldStartTimer = new ColdStartTimer(System::nanoTime);

    private DesiredDeployments desired = DesiredDeployments.NONE;
    /** Requests for deployments that are not known here. */
    private int asking;

    private long exchanges;
    private long heard = System.nanoTime();
    private boolean isConnected;
    private boolean isClosed;
    private boolean isNews;
    private Thread thread;

    public DeploymentGateway(ServingConfig config, ServingMetrics metrics, GatewayRequest request) {
        this.config = config;
        this.metrics = metrics;
        this.request = request;
        this.loader = new ModelLoader(config, metrics);
        metrics.onFirstToken(coldStartTimer::made);
    }

    // ---- requests

    @Override
    public List<String> names() {
        return locked(() -> desired.deployments().values().stream()
                .filter(this::isVisible)
                .map(Order::name)
                .toList());
    }

    private List<String> allNames() {
        return locked(() -> List.copyOf(desired.deployments().keySet()));
    }

    private boolean isVisible(Order order) {
        return order.max() > 0 && request.sees(order.project());
    }

    @Override
    public ServedModel await(String name) {
        long deadline = System.nanoTime() + config.deadline().toNanos();
        BooleanSupplier isGone = request.watch(this::wake);
        return locked(() -> {
            awaitNews(name);
            requireVisible(name);
            Optional<ServedModel> ready = choose(name);
            if (ready.isPresent()) {
                return ready.get();
            }
            if (held.getOrDefault(name, 0) >= config.waiting()) {
                throw new QueueFullException(config.waiting(), RETRY_AFTER);
            }
            held.merge(name, 1, Integer::sum);
            if (!replicas.containsKey(name)) {
                coldStartTimer.asked(name);
            }
            wake();
            try {
                return await(name, deadline, isGone);
            } catch (UnavailableException failure) {
                if (held.get(name) == 1) {
                    coldStartTimer.forget(name);
                }
                throw failure;
            } finally {
                held.merge(name, -1, Integer::sum);
                wake();
            }
        });
    }

    /**
     * A deployment that is not known here may have been made after the backend was asked last. The exchange under way may have begun before that,
     * so it takes another one.
     */
    private void awaitNews(String name) {
        if (desired.deployments().containsKey(name)) {
            return;
        }
        if (asking >= config.waiting()) {
            throw new QueueFullException(config.waiting(), RETRY_AFTER);
        }
        long enough = exchanges + 2;
        long deadline = System.nanoTime() + NEWS.toNanos();
        asking++;
        try {
            while (!desired.deployments().containsKey(name)
                    && exchanges < enough
                    && !isClosed
                    && System.nanoTime() < deadline) {
                askSoon();
                pause(deadline - System.nanoTime());
            }
        } finally {
            asking--;
        }
    }

    /** Several requests that want news wake the gateway once, since each also wakes all requests that wait. */
    private void askSoon() {
        if (!isNews) {
            wake();
        }
    }

    private ServedModel await(String name, long deadline, BooleanSupplier isGone) {
        while (true) {
            Order order = requireVisible(name);
            Optional<ServedModel> ready = choose(name);
            if (ready.isPresent()) {
                return ready.get();
            }
            if (order.failures() >= FAILURES) {
                refused.put(name, System.nanoTime());
                throw new UnavailableException(order.text(), RETRY_AFTER);
            }
            if (isGone.getAsBoolean()) {
                throw new UnavailableException("the client has gone", RETRY_AFTER);
            }
            long away = System.nanoTime() - heard;
            if (away > AWAY.toNanos()) {
                throw new UnavailableException(
                        "no replica serves, and the backend has not answered for "
                                + Duration.ofNanos(away).toSeconds() + " s",
                        RETRY_AFTER);
            }
            long left = deadline - System.nanoTime();
            if (left <= 0 || isClosed) {
                throw new UnavailableException(
                        isClosed ? "the gateway is shutting down" : "no replica served in time: " + order.text(),
                        RETRY_AFTER);
            }
            pause(Math.min(left, LOOK.toNanos()));
        }
    }

    private Order requireVisible(String name) {
        return Optional.ofNullable(desired.deployments().get(name))
                .filter(this::isVisible)
                .orElseThrow(() -> new UnknownModelException(name, names()));
    }

    /** The one with the fewest requests. */
    private Optional<ServedModel> choose(String name) {
        List<AttachedReplica> all =
                new ArrayList<>(replicas.getOrDefault(name, Map.of()).values());
        all.sort(Comparator.comparingInt(AttachedReplica::requests));
        for (AttachedReplica replica : all) {
            Optional<ServedModel> model = replica.reserve();
            if (model.isPresent()) {
                request.hold(replica);
                return model;
            }
        }
        return Optional.empty();
    }

    private void pause(long nanos) {
        try {
            boolean ignored = changed.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("the gateway is shutting down", RETRY_AFTER);
        }
    }

    // ---- the backend

    @Override
    public boolean isConnected() {
        return locked(() -> isConnected);
    }

    @Override
    public void start(Consumer<List<String>> whenConnected) {
        start(BackendClient.configured().within(EXCHANGE), whenConnected);
    }

    void start(BackendClient backend, Consumer<List<String>> whenConnected) {
        start(report -> backend.put("/v1/gateways/" + id, report), whenConnected);
    }

    /** @param backend as {@link #exchange} has it */
    void start(Function<Map<String, Object>, JsonNode> backend, Consumer<List<String>> whenConnected) {
        thread = Thread.ofPlatform().name("outpost-gateway").daemon().start(() -> run(backend, whenConnected));
    }

    private void run(Function<Map<String, Object>, JsonNode> backend, Consumer<List<String>> whenConnected) {
        String trouble = "";
        while (!isClosed()) {
            String before = trouble;
            trouble = exchangeOnce(backend, whenConnected, before);
            if (!trouble.isEmpty() && !trouble.equals(before)) {
                LOG.warnf("the backend: %s", trouble);
            }
            rest();
        }
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
            if (connect()) {
                whenConnected.accept(allNames());
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

    private boolean isClosed() {
        return locked(() -> isClosed);
    }

    private boolean connect() {
        return locked(() -> {
            boolean isFirst = !isConnected;
            isConnected = true;
            return isFirst;
        });
    }

    private void wake() {
        runLocked(() -> {
            isNews = true;
            changed.signalAll();
        });
    }

    private void rest() {
        runLocked(this::awaitNextExchange);
    }

    private void awaitNextExchange() {
        long now = System.nanoTime();
        long deadline = now + (isBusy() ? BUSY : QUIET).toNanos();
        awaitNewsUntil(deadline);
        // Callers can bring news without end, and each exchange is work for the backend.
        long earliest = now + LEAST.toNanos();
        for (long left = earliest - System.nanoTime(); left > 0 && !isClosed; left = earliest - System.nanoTime()) {
            pause(left);
        }
        isNews = false;
    }

    private void awaitNewsUntil(long deadline) {
        for (long left = deadline - System.nanoTime();
                left > 0 && !isNews && !isClosed;
                left = deadline - System.nanoTime()) {
            pause(left);
        }
    }

    /** Whether requests wait. */
    private boolean isBusy() {
        return held.values().stream().anyMatch(count -> count > 0);
    }

    /**
     * One report and its answer.
     *
     * @param backend takes a report, and gives the answer
     * @return false if the answer is none that a backend gives; then nothing changes
     */
    boolean exchange(Function<Map<String, Object>, JsonNode> backend) {
        Map<String, Set<AttachedReplica>> serving = new HashMap<>();
        Map<String, Duration> first = new HashMap<>();
        Set<String> names = new HashSet<>();
        Map<String, Object> report = locked(() -> report(serving, first, names));
        boolean isTaken = false;
        try {
            Optional<DesiredDeployments> answer = DesiredDeployments.read(backend.apply(report));
            isTaken = answer.isPresent();
            answer.ifPresent(desired -> carryOut(desired, serving));
            return isTaken;
        } finally {
            if (!isTaken) {
                resend(names, first);
            }
        }
    }

    /** The next report tells what the backend may not have taken. */
    private void resend(Set<String> names, Map<String, Duration> first) {
        runLocked(() -> told.addAll(names));
        first.forEach(coldStartTimer::putBack);
    }

    /**
     * @param serving filled with the replicas that the report calls loaded
     * @param first filled with the times to first tokens that it tells
     * @param names filled with the deployments that it tells of
     */
    private Map<String, Object> report(
            Map<String, Set<AttachedReplica>> serving, Map<String, Duration> first, Set<String> names) {
        long now = System.nanoTime();
        refused.values().removeIf(last -> now - last > RETRY_AFTER.toNanos());
        names.addAll(told);
        names.addAll(replicas.keySet());
        names.addAll(refused.keySet());
        held.forEach((name, count) -> {
            if (count > 0) {
                names.add(name);
            }
        });
        List<Map<String, Object>> all = new ArrayList<>();
        told.clear();
        for (String name : names) {
            Map<String, AttachedReplica> own = replicas.getOrDefault(name, Map.of());
            own.values().stream()
                    .filter(AttachedReplica::isLoaded)
                    .forEach(one -> serving.computeIfAbsent(name, none -> new HashSet<>())
                            .add(one));
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", name);
            one.put("held", demand(name));
            if (desired.takesFirstTokens()) {
                coldStartTimer.take(name).ifPresent(took -> {
                    first.put(name, took);
                    one.put("zeroToToken", took.toString());
                });
            }
            one.put(
                    "replicas",
                    own.values().stream().map(AttachedReplica::report).toList());
            all.add(one);
            if (!own.isEmpty() || demand(name) > 0) {
                told.add(name);
            }
        }
        return Map.of("deployments", all);
    }

    /**
     * The requests that wait. One that was refused counts until its caller may ask again: without it a deployment that had failed would not
     * be started any more.
     */
    private int demand(String name) {
        return Math.max(held.getOrDefault(name, 0), refused.containsKey(name) ? 1 : 0);
    }

    private void carryOut(DesiredDeployments answer, Map<String, Set<AttachedReplica>> serving) {
        List<AttachedReplica> unwanted = new ArrayList<>();
        runLocked(() -> {
            desired = answer.isComplete() ? answer : answer.withOthers(desired);
            exchanges++;
            heard = System.nanoTime();
            answer.deployments().values().forEach(order -> carryOut(order, serving));
            replicas.forEach((name, own) -> own.entrySet().removeIf(one -> {
                boolean isOver = answer.isComplete() && !isOrdered(answer, name, one.getKey());
                if (isOver) {
                    unwanted.add(one.getValue());
                }
                return isOver;
            }));
            replicas.values().removeIf(Map::isEmpty);
            changed.signalAll();
        });
        unwanted.forEach(one -> Thread.ofVirtual().start(one::close));
    }

    private static boolean isOrdered(DesiredDeployments answer, String name, String machine) {
        return Optional.ofNullable(answer.deployments().get(name))
                .filter(order ->
                        order.replicas().stream().anyMatch(one -> one.machine().equals(machine)))
                .isPresent();
    }

    /** A replica gets requests only after the backend has heard that it serves, and did not answer that it drains. */
    private void carryOut(Order order, Map<String, Set<AttachedReplica>> serving) {
        for (ReplicaOrder one : order.replicas()) {
            AttachedReplica known =
                    replicas.getOrDefault(order.name(), Map.of()).get(one.machine());
            if (known == null && one.isReady() && !one.isDraining()) {
                add(order, one);
            } else if (known != null && one.isDraining()) {
                known.drain();
            } else if (known != null
                    && serving.getOrDefault(order.name(), Set.of()).contains(known)) {
                known.admit();
            }
        }
    }

    private void add(Order order, ReplicaOrder one) {
        metrics.bindDeployment(order.name(), this::anyOf);
        AttachedReplica replica = new AttachedReplica(order.name(), one, loader, this::wake);
        replicas.computeIfAbsent(order.name(), none -> new LinkedHashMap<>()).put(one.machine(), replica);
        replica.start();
    }

    private Optional<ServedModel> anyOf(String name) {
        return locked(() -> replicas.getOrDefault(name, Map.of()).values().stream()
                .map(AttachedReplica::model)
                .filter(model -> model != null)
                .findFirst());
    }

    @Override
    public void close() {
        List<AttachedReplica> all = new ArrayList<>();
        runLocked(() -> {
            isClosed = true;
            changed.signalAll();
            replicas.values().forEach(own -> all.addAll(own.values()));
            replicas.clear();
        });
        all.forEach(AttachedReplica::close);
    }

    private void runLocked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
