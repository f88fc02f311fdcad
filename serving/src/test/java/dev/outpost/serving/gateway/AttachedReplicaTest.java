package dev.outpost.serving.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.rest.deployment.GatewayOrders.ReplicaOrder;
import dev.outpost.rest.deployment.ReplicaState;
import dev.outpost.rest.machine.Phase;
import dev.outpost.serving.TestModels;
import dev.outpost.serving.engine.ModelLoader;
import dev.outpost.serving.engine.ServingMetrics;
import dev.outpost.support.tests.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Tests the reports of a replica. */
class AttachedReplicaTest {
    private final Semaphore news = new Semaphore(0);

    /** A replica that neither serves nor fails would keep requests waiting. */
    @Test
    void errorWhileLoadingIsReportedAsAFailure() throws InterruptedException {
        ReplicaOrder order = new ReplicaOrder(
                UUID.fromString("6f1c2a52-8f0e-4a53-9d2b-0a3a4f1f0001"), 1, "file:/model", null, Phase.READY, false);
        ModelLoader loader =
                new ModelLoader(TestModels.config(Map.of()), new ServingMetrics(new SimpleMeterRegistry()));
        try (AttachedReplica replica = new AttachedReplica("chat", order, loader, news::release, () -> {
            throw new NoClassDefFoundError("dev/outpost/Missing");
        })) {
            replica.start();
            Await.acquired("the failure is told", news);
            assertEquals(ReplicaState.FAILED, replica.report().state());
            String text = replica.report().text();
            assertTrue(text.contains("dev/outpost/Missing"), text);
        }
    }
}
