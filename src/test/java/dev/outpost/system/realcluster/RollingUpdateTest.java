package dev.outpost.system.realcluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Replicas and relays are replaced one after the other, as by an update, while a program computes on a machine behind them. */
@Tag("real-cluster")
class RollingUpdateTest {
    @Test
    void sessionGoesOnAndMachinesAreStartedMeanwhile() {
        DeployedBackend backend = DeployedBackend.open();
        try (RemoteMachine machine = RemoteMachine.of(backend.provider(), "any", new MachineOptions())) {
            Tensor count = machine.zeros(1);
            CompletableFuture<Void> update = CompletableFuture.runAsync(() -> {
                for (String name : new String[] {"outpost-relay", "outpost-backend"}) {
                    backend.scripts.kubectl("-n", "outpost-backend", "rollout", "restart", "deployment/" + name);
                    backend.awaitRollout("outpost-backend", name);
                }
            });
            int steps = 0;
            while (!update.isDone()) {
                count = count.add(1);
                steps++;
                assertEquals(steps, count.sum().itemDouble());
            }
            update.join();
            try (RemoteMachine other = RemoteMachine.of(backend.provider(), "any", new MachineOptions())) {
                assertEquals(6.0, other.ones(2, 3).sum().itemDouble());
            }
            assertEquals(steps + 1, count.add(1).sum().itemDouble());
        }
        backend.awaitNothingLeft();
    }
}
