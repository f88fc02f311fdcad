package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.system.Eventually;
import dev.outpost.types.DType;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A session lives as long as something is heard of its client, and one lease longer. */
class ShortLeaseTest {
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** For what comes on top on a busy machine. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    private static RuntimeProcess runtime;
    private static Management management;

    @BeforeAll
    static void start() {
        runtime = RuntimeProcess.start("--lease", "2s");
        management = Management.of(runtime);
    }

    @AfterAll
    static void stop() {
        runtime.close();
    }

    @Test
    void aClientThatIsKilledLeavesNothingBehind() {
        try (ClientProcess client = ClientProcess.start(runtime)) {
            assertEquals(8 << 20, management.liveBytes());
            assertEquals(1, management.openSessions());
            client.kill();
            long killed = System.nanoTime();
            Eventually.that("its session ends", LEASE.plus(SLACK), () -> management.openSessions() == 0);
            Duration kept = Duration.ofNanos(System.nanoTime() - killed);
            // The last sign of it came a while before it was killed.
            assertTrue(kept.compareTo(LEASE.dividedBy(2)) > 0, () -> "it was kept for " + kept + " only");
            assertNothingIsLeft();
        }
    }

    @Test
    void anUploadThatStopsForGoodGivesItsMemoryBack() throws InterruptedException {
        try (RawConnection client = RawConnection.greeted(runtime)) {
            client.use(1, 1, 1 << 20);
            client.bulk(new ToRuntime.UploadChunk(1, DType.FLOAT32, 4 << 20, 0, new byte[Message.CHUNK_BYTES]));
            Eventually.that("it has its memory", () -> management.liveBytes() == 4 << 20);
            assertEquals(1, management.metric("outpost_uploads"));
            assertEquals(
                    "the lease ran out: nothing was heard of the client for 2000 ms",
                    client.end().getFault().getMessage());
            assertNothingIsLeft();
        }
    }

    @Test
    void aClientThatIsIdleKeepsItsSession() throws InterruptedException {
        try (RemoteMachine machine = runtime.connect()) {
            Tensor ones = machine.ones(2, 3);
            machine.synchronize();
            Thread.sleep(LEASE.plusMillis(500));
            assertEquals(6.0, ones.sum().itemDouble());
        }
    }

    /** Clients' messages were not heard while it stood still. */
    @Test
    void aRuntimeThatStoodStillForLongerThanTheLeaseKeepsItsSessions() throws InterruptedException {
        try (RemoteMachine machine = runtime.connect()) {
            Tensor ones = machine.ones(2, 3);
            machine.synchronize();
            runtime.stall();
            try {
                Thread.sleep(LEASE.multipliedBy(2));
            } finally {
                runtime.resume();
            }
            assertEquals(6.0, ones.sum().itemDouble());
        }
    }

    private static void assertNothingIsLeft() {
        Eventually.that("its memory is back", () -> management.liveBytes() == 0);
        Eventually.that("its connection is gone", () -> management.metric("outpost_connections") == 0);
        assertEquals(0, management.metric("outpost_live_bytes"));
        assertEquals(0, management.metric("outpost_live_values"));
        assertEquals(0, management.metric("outpost_uploads"));
        assertEquals(0, management.metric("outpost_sessions"));
    }
}
