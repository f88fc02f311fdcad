package dev.outpost.serving.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.serving.TestModels;
import dev.outpost.serving.engine.ModelLoader;
import dev.outpost.serving.engine.ServingMetrics;
import dev.outpost.serving.gateway.DesiredDeployments.ReplicaOrder;
import dev.outpost.support.tests.Await;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** The reports of a replica. */
class AttachedReplicaTest {
    private final Semaphore news = new Semaphore(0);

    /** A replica that neither serves nor fails would keep requests waiting. */
    @Test
    void errorWhileLoadingIsReportedAsAFailure() throws InterruptedException {
        ReplicaOrder order = new ReplicaOrder("machine", 1, "file:/model", Optional.empty(), true, false);
        ModelLoader loader =
                new ModelLoader(TestModels.config(Map.of()), new ServingMetrics(new SimpleMeterRegistry()));
        try (AttachedReplica replica = new AttachedReplica("chat", order, loader, news::release, () -> {
            throw new NoClassDefFoundError("dev/outpost/Missing");
        })) {
            replica.start();
            Await.acquired("the failure is told", news);
            assertEquals("FAILED", replica.report().get("state"));
            String text = String.valueOf(replica.report().get("text"));
            assertTrue(text.contains("dev/outpost/Missing"), text);
        }
    }
}
