package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.support.tests.Await;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests a network that silently drops everything: both sides notice it by keepalive. */
@Tag("full")
class DeadPeerTest {
    @Test
    void bothSidesNoticeInTimeAndGoOn() {
        try (RuntimeProcess runtime = RuntimeProcess.start("--lease", Await.GUARD.toSeconds() + "s")) {
            bothSidesNotice(runtime);
        }
    }

    private static void bothSidesNotice(RuntimeProcess runtime) {
        ManagementClient management = ManagementClient.of(runtime);
        double before = management.metric("outpost_connections");
        try (CuttingProxy proxy = new CuttingProxy(runtime);
                RemoteMachine machine = RemoteMachine.connect(runtime.remote(proxy.port()), new MachineOptions())) {
            Tensor ones = machine.ones(2, 3);
            assertEquals(6.0, ones.sum().itemDouble());
            assertEquals(before + 1, management.metric("outpost_connections"));
            proxy.swallow();
            proxy.open(false);
            Await.until(
                    "the machine gives the connection up", () -> management.metric("outpost_connections") == before);
            Await.until("the client tries another", () -> proxy.refused() > 0);
            proxy.open(true);
            assertEquals(12.0, ones.add(1).sum().itemDouble());
            assertTrue(proxy.accepted() > 2, "transports: " + proxy.accepted());
        }
    }
}
