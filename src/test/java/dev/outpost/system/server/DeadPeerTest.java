package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.system.Eventually;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A network that swallows everything and says nothing: both sides notice, by keepalive. */
@Tag("full")
class DeadPeerTest {
    private static final Duration STATED = Duration.ofSeconds(15);

    /** For what comes on top on a busy machine. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    @Test
    void bothSidesNoticeInTimeAndGoOn() {
        RuntimeProcess runtime = RuntimeProcess.shared();
        Management management = Management.of(runtime);
        double before = management.metric("outpost_connections");
        try (CuttingProxy proxy = new CuttingProxy(runtime);
                RemoteMachine machine = RemoteMachine.connect(runtime.remote(proxy.port()), new MachineOptions())) {
            Tensor ones = machine.ones(2, 3);
            assertEquals(6.0, ones.sum().itemDouble());
            assertEquals(before + 1, management.metric("outpost_connections"));
            proxy.swallow();
            proxy.open(false);
            long swallowed = System.nanoTime();
            Eventually.that(
                    "the machine gives the connection up",
                    STATED.plus(SLACK),
                    () -> management.metric("outpost_connections") == before);
            Eventually.that(
                    "the client tries another",
                    STATED.plus(SLACK).minusNanos(System.nanoTime() - swallowed),
                    () -> proxy.refused() > 0);
            proxy.open(true);
            assertEquals(12.0, ones.add(1).sum().itemDouble());
            assertTrue(proxy.accepted() > 2, "transports: " + proxy.accepted());
        }
    }
}
