package dev.outpost.serving.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.rest.deployment.GatewayOrders.DeploymentOrder;
import dev.outpost.rest.deployment.GatewayOrders.ReplicaOrder;
import dev.outpost.rest.deployment.ReplicaState;
import dev.outpost.rest.machine.Phase;
import dev.outpost.serving.TestModels;
import dev.outpost.serving.engine.ModelLoader;
import dev.outpost.serving.engine.ServedModel;
import dev.outpost.serving.engine.ServingMetrics;
import dev.outpost.support.tests.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.eclipse.microprofile.context.spi.ContextManagerProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests replicas of a deployment on mock machines. */
class ReplicaSetTest {
    private static final UUID A = UUID.fromString("6f1c2a52-8f0e-4a53-9d2b-0a3a4f1f0001");
    private static final UUID B = UUID.fromString("6f1c2a52-8f0e-4a53-9d2b-0a3a4f1f0002");

    private final ServingMetrics metrics = new ServingMetrics(new SimpleMeterRegistry());
    private final ModelLoader loader = new ModelLoader(TestModels.config(Map.of()), metrics);
    private final List<UUID> made = new ArrayList<>();
    private final ReplicaSet replicas = new ReplicaSet(this::replica, metrics);

    private AttachedReplica replica(String deployment, ReplicaOrder order) {
        made.add(order.machine());
        return new AttachedReplica(
                deployment,
                order,
                loader,
                () -> {},
                () -> RemoteMachine.of("mock", "any", new MachineOptions().option("sources", "file:/")));
    }

    /** Quarkus does so at its start. Without Quarkus, two threads that are the first to use Mutiny would both set the provider, and one fails. */
    @BeforeAll
    static void setContextManagerProvider() {
        ContextManagerProvider.instance();
    }

    @AfterEach
    void close() {
        replicas.close();
    }

    private static ReplicaOrder order(UUID machine, Phase phase, boolean isDraining) {
        return new ReplicaOrder(machine, 1, TestModels.embedder(), null, phase, isDraining);
    }

    private static DesiredDeployments desired(boolean isComplete, ReplicaOrder... orders) {
        return new DesiredDeployments(
                Map.of("embed", new DeploymentOrder("embed", "vision", 1, 2, 0, "", List.of(orders))),
                isComplete,
                true);
    }

    private Set<AttachedReplica> loaded(ReplicaOrder... orders) {
        replicas.carryOut(desired(true, orders), Set.of());
        List<AttachedReplica> all = replicas.of("embed");
        Await.until("replicas are loaded", () -> all.stream().allMatch(AttachedReplica::isLoaded));
        return Set.copyOf(all);
    }

    private static <T> List<FutureTask<T>> twoThreads(Callable<T> work) {
        List<FutureTask<T>> tasks = List.of(new FutureTask<>(work), new FutureTask<>(work));
        tasks.forEach(task -> Thread.ofPlatform().daemon().start(task));
        return tasks;
    }

    @Test
    void replicaIsMadeWhenItsMachineIsReady() {
        replicas.carryOut(desired(true, order(A, Phase.BOOT, false), order(B, Phase.READY, true)), Set.of());
        assertEquals(List.of(), made);
        replicas.carryOut(desired(true, order(A, Phase.READY, false)), Set.of());
        replicas.carryOut(desired(true, order(A, Phase.READY, false)), Set.of());
        assertEquals(List.of(A), made);
        assertEquals(Set.of("embed"), replicas.deployments());
    }

    /** Otherwise the backend could end a machine that has requests. */
    @Test
    void replicaGetsRequestsWhenTheBackendHasHeardOfIt() {
        ReplicaOrder order = order(A, Phase.READY, false);
        Set<AttachedReplica> loaded = loaded(order);
        assertEquals(Optional.empty(), replicas.reserve("embed"));
        replicas.carryOut(desired(true, order), loaded);
        assertEquals("embed", replicas.reserve("embed").orElseThrow().model().name());
        replicas.carryOut(desired(true, order(A, Phase.READY, true)), loaded);
        assertEquals(Optional.empty(), replicas.reserve("embed"), "it drains");
    }

    @Test
    void requestsGoToTheReplicaWithTheFewest() {
        ReplicaOrder[] orders = {order(A, Phase.READY, false), order(B, Phase.READY, false)};
        replicas.carryOut(desired(true, orders), loaded(orders));
        Set<AttachedReplica> first =
                Set.copyOf(Stream.generate(() -> replicas.reserve("embed").orElseThrow())
                        .limit(2)
                        .toList());
        assertEquals(2, first.size());
        AttachedReplica free = first.iterator().next();
        free.release();
        assertEquals(free, replicas.reserve("embed").orElseThrow());
    }

    @Test
    void allHeldRequestsGetTheReplicaWhichDrainsAfterThem() throws Exception {
        HeldRequests requests = new HeldRequests(
                TestModels.config(Map.of()), new TestRequest(), replicas, new ColdStartTimer(() -> 0), () -> 0);
        requests.accept(desired(true));
        List<FutureTask<ServedModel>> served = twoThreads(() -> requests.await("embed"));
        Await.until("both are held", () -> requests.demand().equals(Map.of("embed", 2)));
        Set<AttachedReplica> loaded = loaded(order(A, Phase.READY, false));
        replicas.carryOut(desired(true, order(A, Phase.READY, false)), loaded);
        requests.accept(desired(true, order(A, Phase.READY, false)));
        for (FutureTask<ServedModel> one : served) {
            assertEquals("embed", Await.result("the request is served", one).name());
        }
        assertEquals(Map.of(), requests.demand());
        AttachedReplica replica = loaded.iterator().next();
        replicas.carryOut(desired(true, order(A, Phase.READY, true)), loaded);
        replica.release();
        assertEquals(ReplicaState.SERVING, replica.report().state(), "one request has not begun");
        replica.release();
        assertEquals(ReplicaState.DRAINED, replica.report().state());
        requests.close();
    }

    @Test
    void reservationsOfManyThreadsAreCounted() throws Exception {
        ReplicaOrder order = order(A, Phase.READY, false);
        replicas.carryOut(desired(true, order), loaded(order));
        List<FutureTask<Void>> callers = twoThreads(() -> {
            for (int request = 0; request < 1_000; request++) {
                replicas.reserve("embed").orElseThrow().release();
            }
            return null;
        });
        for (FutureTask<Void> caller : callers) {
            Await.result("the reservations", caller);
        }
        assertEquals(0, replicas.of("embed").getFirst().requests());
    }

    /** The answer to the last report may come after the end. */
    @Test
    void closedSetMakesNoReplica() {
        replicas.close();
        replicas.carryOut(desired(true, order(A, Phase.READY, false)), Set.of());
        assertEquals(List.of(), made);
    }

    @Test
    void replicaEndsOnlyIfACompleteAnswerDoesNotListIt() {
        replicas.carryOut(desired(true, order(A, Phase.READY, false)), Set.of());
        replicas.carryOut(desired(false), Set.of());
        assertEquals(1, replicas.of("embed").size());
        replicas.carryOut(desired(true), Set.of());
        assertTrue(replicas.deployments().isEmpty());
    }
}
