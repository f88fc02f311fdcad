package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A session lives as long as its client sends something, and one lease longer. */
class ShortLeaseTest {
    private static final Duration LEASE = Duration.ofSeconds(2);

    private interface LeasedSteps {
        void run(RuntimeProcess runtime, ManagementClient management, Duration lease) throws Exception;
    }

    /** Clients are paused together with this JVM, perhaps for longer than the first of the leases. */
    private static void leased(LeasedSteps steps) throws Exception {
        Await.withEnoughTime(LEASE, lease -> {
            try (RuntimeProcess runtime = RuntimeProcess.start("--lease", lease.toMillis() + "ms")) {
                steps.run(runtime, ManagementClient.of(runtime), lease);
            }
        });
    }

    @Test
    void aClientThatIsKilledLeavesNothingBehind() throws Exception {
        leased((runtime, management, lease) -> {
            try (ClientProcess client = ClientProcess.start(runtime)) {
                assertEquals(8 << 20, management.liveBytes());
                assertEquals(1, management.openSessions());
                long alive = System.nanoTime();
                client.kill();
                Await.until("its session ends", () -> management.openSessions() == 0);
                Duration kept = Duration.ofNanos(System.nanoTime() - alive);
                // Its last sign of life arrived a while before it was killed.
                assertTrue(kept.compareTo(lease.dividedBy(2)) > 0, () -> "it was kept for " + kept + " only");
                assertNothingIsLeft(management);
            }
        });
    }

    @Test
    void anUploadThatStopsForGoodGivesItsMemoryBack() throws Exception {
        leased((runtime, management, lease) -> {
            try (RawConnection client = RawConnection.greeted(runtime)) {
                client.use(1, 1, 1 << 20);
                client.bulk(new ToRuntime.UploadChunk(1, DType.FLOAT32, 4 << 20, 0, new byte[Message.CHUNK_BYTES]));
                Await.until(
                        "it has its memory, or is over",
                        () -> management.liveBytes() == 4 << 20 || management.openSessions() == 0);
                assertEquals(1, management.metric("outpost_uploads"));
                assertEquals(
                        "the lease ran out: the client has sent nothing for " + lease.toMillis() + " ms",
                        client.end().getFault().getMessage());
                assertNothingIsLeft(management);
            }
        });
    }

    @Test
    void aClientThatIsIdleKeepsItsSession() throws Exception {
        leased((runtime, management, lease) -> {
            try (RemoteMachine machine = runtime.connect()) {
                Tensor ones = machine.ones(2, 3);
                machine.synchronize();
                Thread.sleep(lease.plusMillis(500));
                assertEquals(6.0, ones.sum().itemDouble());
            }
        });
    }

    /** The runtime received no messages of clients while it was paused. */
    @Test
    void aRuntimeThatStoodStillForLongerThanTheLeaseKeepsItsSessions() throws Exception {
        leased((runtime, management, lease) -> {
            try (RemoteMachine machine = runtime.connect()) {
                Tensor ones = machine.ones(2, 3);
                machine.synchronize();
                runtime.stall();
                try {
                    Thread.sleep(lease.multipliedBy(2));
                } finally {
                    runtime.resume();
                }
                assertEquals(6.0, ones.sum().itemDouble());
            }
        });
    }

    private static void assertNothingIsLeft(ManagementClient management) {
        Await.until("its memory is back", () -> management.liveBytes() == 0);
        Await.until("its connection is gone", () -> management.metric("outpost_connections") == 0);
        assertEquals(0, management.metric("outpost_live_bytes"));
        assertEquals(0, management.metric("outpost_live_values"));
        assertEquals(0, management.metric("outpost_uploads"));
        assertEquals(0, management.metric("outpost_sessions"));
    }
}
