package dev.outpost.serving.gateway;

import dev.outpost.inference.QueueFullException;
import dev.outpost.rest.deployment.GatewayOrders.DeploymentOrder;
import dev.outpost.serving.config.ServingConfig;
import dev.outpost.serving.engine.ServedModel;
import dev.outpost.serving.engine.UnavailableException;
import dev.outpost.serving.engine.UnknownModelException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Holds requests until a replica of their deployment accepts them, or until they must be refused. Thread-safe. */
final class HeldRequests {
    /** The shortest pause between two exchanges with the backend. */
    private static final Duration MIN_PAUSE = Duration.ofMillis(20);

    /** The pause between two exchanges while requests are held. */
    private static final Duration BUSY_PAUSE = Duration.ofMillis(200);

    private static final Duration IDLE_PAUSE = Duration.ofSeconds(1);
    /** The number of failed starts after which requests are refused instead of held. */
    private static final int MAX_FAILURES = 3;

    /** The time without an answer of the backend after which requests are refused instead of held. */
    private static final Duration AWAY = Duration.ofSeconds(30);

    /** The interval at which a held request checks if it must be refused. */
    private static final Duration CHECK = Duration.ofSeconds(1);

    /** The time that a request for an unknown deployment waits for the next answers of the backend. */
    private static final Duration NEWS = Duration.ofSeconds(3);

    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final ServingConfig config;
    private final GatewayRequest request;
    private final ReplicaSet replicas;
    private final ColdStartTimer coldStarts;
    private final LongSupplier nanoTime;

    /**
     * Guards the fields below. Requests wait on virtual threads, which in some versions of the JDK never return from a timed
     * {@link Object#wait(long)} (JDK-8373120).
     */
    private final ReentrantLock lock = new ReentrantLock();

    private final Condition changed = lock.newCondition();
    private final Map<String, Integer> held = new HashMap<>();
    /** For each deployment, the time at which a request was last refused because replicas do not start. */
    private final Map<String, Long> refused = new HashMap<>();

    private DesiredDeployments desired = DesiredDeployments.NONE;
    /** The number of requests that wait for the backend to report whether their deployment exists. */
    private int asking;

    private long exchanges;
    private long lastAnswer;
    private boolean isClosed;
    private boolean isNews;

    /** @param request the current request of the calling thread */
    HeldRequests(
            ServingConfig config,
            GatewayRequest request,
            ReplicaSet replicas,
            ColdStartTimer coldStarts,
            LongSupplier nanoTime) {
        this.config = config;
        this.request = request;
        this.replicas = replicas;
        this.coldStarts = coldStarts;
        this.nanoTime = nanoTime;
        lastAnswer = nanoTime.getAsLong();
    }

    /** Returns the deployments that the current request may use. */
    List<String> visibleNames() {
        return locked(() -> desired.deployments().values().stream()
                .filter(this::isVisible)
                .map(DeploymentOrder::name)
                .toList());
    }

    List<String> names() {
        return locked(() -> List.copyOf(desired.deployments().keySet()));
    }

    private boolean isVisible(DeploymentOrder order) {
        return order.max() > 0 && request.sees(order.project());
    }

    /** Returns the model of a deployment for the current request. */
    ServedModel await(String name) {
        long deadline = nanoTime.getAsLong() + config.deadline().toNanos();
        BooleanSupplier isGone = request.watch(this::wake);
        return locked(() -> {
            awaitNews(name);
            requireVisible(name);
            return choose(name).orElseGet(() -> hold(name, deadline, isGone));
        });
    }

    /**
     * Waits for the backend to report an unknown deployment, which may have been made after the last exchange. The
     * current exchange may have begun before that, so this method waits for the next exchange.
     */
    private void awaitNews(String name) {
        if (desired.deployments().containsKey(name)) {
            return;
        }
        requireRoom(asking);
        long enough = exchanges + 2;
        long deadline = nanoTime.getAsLong() + NEWS.toNanos();
        asking++;
        try {
            while (!desired.deployments().containsKey(name)
                    && exchanges < enough
                    && !isClosed
                    && nanoTime.getAsLong() < deadline) {
                // Each wake-up also wakes all requests that wait, so several requests cause only one wake-up.
                if (!isNews) {
                    wake();
                }
                pause(deadline - nanoTime.getAsLong());
            }
        } finally {
            asking--;
        }
    }

    private void requireRoom(int waiting) {
        if (waiting >= config.waiting()) {
            throw new QueueFullException(config.waiting(), RETRY_AFTER);
        }
    }

    private ServedModel hold(String name, long deadline, BooleanSupplier isGone) {
        requireRoom(held.getOrDefault(name, 0));
        held.merge(name, 1, Integer::sum);
        if (replicas.of(name).isEmpty()) {
            coldStarts.asked(name);
        }
        wake();
        try {
            while (true) {
                DeploymentOrder order = requireVisible(name);
                Optional<ServedModel> ready = choose(name);
                if (ready.isPresent()) {
                    return ready.get();
                }
                requireHope(order, deadline, isGone);
                pause(Math.min(deadline - nanoTime.getAsLong(), CHECK.toNanos()));
            }
        } catch (UnavailableException failure) {
            if (held.get(name) == 1) {
                coldStarts.forget(name);
            }
            throw failure;
        } finally {
            held.computeIfPresent(name, (same, count) -> count == 1 ? null : count - 1);
            wake();
        }
    }

    private void requireHope(DeploymentOrder order, long deadline, BooleanSupplier isGone) {
        long now = nanoTime.getAsLong();
        if (order.failures() >= MAX_FAILURES) {
            refused.put(order.name(), now);
            throw unavailable(order.text());
        }
        if (isGone.getAsBoolean()) {
            throw unavailable("the client has gone");
        }
        Duration away = Duration.ofNanos(now - lastAnswer);
        if (away.compareTo(AWAY) > 0) {
            throw unavailable("no replica serves, and the backend has not answered for " + away.toSeconds() + " s");
        }
        if (isClosed) {
            throw unavailable("the gateway is shutting down");
        }
        if (now >= deadline) {
            throw unavailable("no replica served in time: " + order.text());
        }
    }

    private static UnavailableException unavailable(String why) {
        return new UnavailableException(why, RETRY_AFTER);
    }

    private DeploymentOrder requireVisible(String name) {
        return Optional.ofNullable(desired.deployments().get(name))
                .filter(this::isVisible)
                .orElseThrow(() -> new UnknownModelException(name, visibleNames()));
    }

    private Optional<ServedModel> choose(String name) {
        Optional<AttachedReplica> chosen = replicas.reserve(name);
        chosen.ifPresent(request::hold);
        return chosen.map(AttachedReplica::model);
    }

    private void pause(long nanos) {
        try {
            boolean ignored = changed.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw unavailable("the gateway is shutting down");
        }
    }

    // ---- for exchanges with the backend

    /**
     * Returns the deployments with waiting requests, and the numbers of these requests. A refused request counts until its caller may try
     * again; otherwise a failed deployment would never start again.
     */
    Map<String, Integer> demand() {
        return locked(() -> {
            long now = nanoTime.getAsLong();
            refused.values().removeIf(last -> now - last > RETRY_AFTER.toNanos());
            Map<String, Integer> demand = new HashMap<>(held);
            refused.keySet().forEach(name -> demand.putIfAbsent(name, 1));
            return demand;
        });
    }

    /** Accepts an answer of the backend. {@link ReplicaSet#carryOut} must have processed it before. */
    void accept(DesiredDeployments answer) {
        runLocked(() -> {
            desired = answer.isComplete() ? answer : answer.withOthers(desired);
            exchanges++;
            lastAnswer = nanoTime.getAsLong();
            changed.signalAll();
        });
    }

    /** Wakes held requests, which look for a replica again, and makes the next exchange begin soon. */
    void wake() {
        runLocked(() -> {
            isNews = true;
            changed.signalAll();
        });
    }

    /** Waits for the time of the next exchange. Returns false if this was closed. */
    boolean awaitNextExchange() {
        return locked(() -> {
            long begin = nanoTime.getAsLong();
            pauseUntil(begin + (held.isEmpty() ? IDLE_PAUSE : BUSY_PAUSE).toNanos(), true);
            // Callers can cause changes all the time, and each exchange is work for the backend.
            pauseUntil(begin + MIN_PAUSE.toNanos(), false);
            isNews = false;
            return !isClosed;
        });
    }

    private void pauseUntil(long time, boolean endsWithNews) {
        for (long left = time - nanoTime.getAsLong();
                left > 0 && !isClosed && !(endsWithNews && isNews);
                left = time - nanoTime.getAsLong()) {
            pause(left);
        }
    }

    void close() {
        runLocked(() -> {
            isClosed = true;
            changed.signalAll();
        });
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
