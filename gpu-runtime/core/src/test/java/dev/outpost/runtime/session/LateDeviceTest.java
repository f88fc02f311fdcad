package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.message.ExplanationMessage;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.session.context.SharedQuotas;
import dev.outpost.runtime.session.stats.DeviceMeter;
import dev.outpost.runtime.session.stats.WorkCounters;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a device that has not done its work yet: the reports and counters of sessions, and which threads wait for it. */
class LateDeviceTest extends RuntimeTest {
    private static final int LARGE = 1 << 17;

    @Override
    RuntimeSettings settings() {
        return RuntimeSettings.withQuota(16 * QUOTA).withMaxSessions(4);
    }

    @Override
    TimedEngine engine() {
        return new LateEngine(clock);
    }

    private LateEngine device() {
        return (LateEngine) engine;
    }

    @AfterEach
    void letTheDeviceGoOn() {
        device().release();
    }

    @Test
    void kernelsThatHaveNotRunAreNeitherCountedNorReported() throws InterruptedException {
        engine.cost(Unary.NEG, Duration.ofMillis(3));
        var client = WireClient.connected(host);
        warmUp(client);
        WorkCounters before = host.sessions().getFirst().work();
        assertEquals(Duration.ofMillis(3).toNanos(), before.engineNanos());
        device().hold();
        client.run(negated(1));
        client.run(negated(3));
        awaitIdleWorker();
        assertEquals(6, device().launched());
        WorkCounters then = host.sessions().getFirst().work();
        assertEquals(1, then.segments());
        assertEquals(2, then.kernels());
        assertEquals(before.engineNanos(), then.engineNanos());
        device().release();
        assertEquals(Duration.ofMillis(9).toNanos(), client.progress(3).engineNanos());
        assertEquals(6, host.sessions().getFirst().work().kernels());
    }

    @Test
    void aKernelThatRefusesIsNotCounted() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 1, 2, 3).longs(2, 9).select(3, 1, 2));
        client.progress(1);
        assertEquals(1, device().launched());
        assertEquals(0, host.sessions().getFirst().work().kernels());
    }

    /** A worker that has launched everything does not wait for the device, and neither do later messages. */
    @Test
    void aFetchIsAnsweredLaterAndHoldsUpNothing() throws InterruptedException {
        var client = WireClient.connected(host);
        warmUp(client);
        device().hold();
        client.run(negated(1));
        client.fetchLater(1, 2);
        client.free(1, 2);
        client.run(negated(1));
        awaitThat(() -> device().launched() == 6);
        device().release();
        assertArrayEquals(
                SegmentBuilder.bytes(-1), client.take(ToClient.Fetched.class).bytes());
        assertArrayEquals(SegmentBuilder.bytes(-1), client.fetch(2, 2).bytes());
    }

    @Test
    void aDownloadThatTheDeviceHasNotReadHoldsUpNobody() throws Exception {
        var client = WireClient.connected(host);
        var other = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 3, LARGE));
        client.progress(1);
        device().hold();
        client.fetchLater(1, 1);
        awaitThat(() -> device().queued() > 0);
        Await.within("nobody waits for the device", () -> {
            // Runs on a thread of the network.
            client.raw(new Frame.Ack(Lane.BULK, 0).encode());
            other.control(ToRuntime.Request.explain(1, 77));
            other.explained();
            // Runs on the ticker, which serves all sessions.
            pass(Duration.ofSeconds(31));
            assertEquals(
                    "the lease ran out: the client has sent nothing for 30000 ms",
                    other.end().getMessage());
        });
    }

    /** A client does not receive the data that it requested; only a limited part of it waits in the host's memory. */
    @Test
    void readAheadIsBounded() throws InterruptedException {
        var client = WireClient.connected(host);
        client.mute = true;
        client.run(new SegmentBuilder().full(1, 7, LARGE));
        for (int fetch = 1; fetch <= 100; fetch++) {
            client.fetchLater(fetch, 1);
        }
        awaitThat(() -> runtime.sharedQuotas().stagedBytes().used() > SharedQuotas.STAGED_BYTES - Message.CHUNK_BYTES);
        assertTrue(runtime.sharedQuotas().stagedBytes().used() <= SharedQuotas.STAGED_BYTES);
        client.raw(new byte[0]);
        client.end();
        awaitThat(() -> runtime.sharedQuotas().stagedBytes().used() == 0);
    }

    @Test
    void uploadsWaitForNoDeviceAndTheClientIsHeldBack() throws Exception {
        var client = WireClient.connected(host);
        device().hold();
        byte[] whole = new byte[1 << 19];
        int[] caughtUp = {0};
        Await.within("nobody waits for the device", () -> {
            for (int upload = 1; !client.isBehind(); upload++) {
                for (int from = 0; from < whole.length; from += Message.CHUNK_BYTES) {
                    client.bulk(TransfersTest.chunk(
                            upload, whole, from, Math.min(from + Message.CHUNK_BYTES, whole.length)));
                }
                assertTrue(upload < 20, "nothing holds the client back");
            }
        });
        client.whenCaughtUp(() -> caughtUp[0]++);
        assertEquals(0, caughtUp[0]);
        device().release();
        awaitThat(() -> !client.isBehind());
        awaitThat(() -> caughtUp[0] == 1);
    }

    /** Long kernels are launched one by one, short kernels up to a total time of {@link DeviceMeter#AHEAD}. */
    @Test
    void aSessionIsNotFarAheadOfItsDevice() throws InterruptedException {
        engine.cost(Unary.NEG, Duration.ofMillis(30));
        engine.cost(Unary.ABS, Duration.ofMillis(1));
        var client = WireClient.connected(host);
        client.run(chain(Unary.NEG, 1, 50));
        client.progress(1);
        assertEquals(1, device().mostAhead());
        for (int run = 2; run < 6; run++) {
            client.run(chain(Unary.ABS, 100L * run, 50));
        }
        client.progress(5);
        int max = device().mostAhead();
        assertTrue(max > 2 && max <= 16, "it was ahead by " + max + " kernels");
    }

    private static SegmentBuilder chain(Unary op, long first, int count) {
        SegmentBuilder segments = new SegmentBuilder().full(first, 1, 1);
        for (int at = 1; at <= count; at++) {
            segments.add(op, first + at, first + at - 1).drop(first + at - 1);
        }
        return segments;
    }

    @Test
    void explainedTimesAreTheDevices() throws InterruptedException {
        engine.cost(Unary.NEG, Duration.ofMillis(3));
        var client = WireClient.connected(host);
        for (int run = 0; run < 3; run++) {
            client.run(new SegmentBuilder().full(10 * run + 1, 1, 1).neg(10 * run + 2, 10 * run + 1));
        }
        client.control(ToRuntime.Request.explain(1, 22));
        Explanation explanation = ExplanationMessage.read(client.explained().getExplanation());
        assertEquals(
                List.of(3_000_000L, 3_000_000L, 3_000_000L),
                explanation.kernels().getLast().times().recentNanos());
    }

    @Test
    void aDeviceThatFailsEndsTheSessionsThatWaitForIt() throws InterruptedException {
        var client = WireClient.connected(host);
        device().hold();
        client.run(new SegmentBuilder().full(1, 1, 1));
        awaitIdleWorker();
        device().breakWith(new IllegalStateException("fell off the bus"));
        device().release();
        Fault fault = client.end();
        assertEquals(FaultKind.EXTERNAL, FaultMessages.kind(fault));
        assertEquals("the machine's device failed: fell off the bus", fault.getMessage());
    }

    @Test
    void aSessionThatEndsFirstLeavesNothing() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, LARGE));
        client.progress(1);
        device().hold();
        client.run(new SegmentBuilder().full(2, 1, 1));
        client.fetchLater(1, 2);
        client.fetchLater(2, 1);
        awaitIdleWorker();
        client.raw(new byte[0]);
        client.end();
        device().release();
        awaitIdle();
    }

    @Test
    void aMachineWhoseDeviceComputesIsInUse() throws InterruptedException {
        var client = WireClient.connected(host);
        device().hold();
        client.run(new SegmentBuilder().full(1, 1, 1));
        awaitIdleWorker();
        assertTrue(host.isBusy());
        device().release();
        client.progress(1);
        client.acknowledge();
        awaitThat(() -> !host.isBusy());
    }

    /** The device has one queue, however many processors the host has. */
    @Test
    void thereAreAsManyTurnsAsTheEngineSays() throws InterruptedException {
        engine.during(Unary.NEG, () -> {});
        var first = WireClient.connected(host);
        var second = WireClient.connected(host);
        device().hold();
        first.run(chain(Unary.NEG, 1, 3));
        awaitThat(() -> device().launched() == 1);
        second.run(chain(Unary.NEG, 1, 3));
        awaitThat(runtime.scheduler()::isContended);
        assertEquals(1, device().launched());
        device().release();
        first.progress(1);
        second.progress(1);
        assertFalse(runtime.scheduler().isContended());
    }

    @Test
    void kernelsThatMayRefuseAreWaitedForByTheirSessionAlone() throws Exception {
        var client = WireClient.connected(host);
        device().hold();
        client.run(new SegmentBuilder().floats(1, 1, 2, 3).longs(2, 2).select(3, 1, 2));
        awaitThat(() -> device().waiting() == 1);
        Await.within("nobody waits for the device", () -> {
            client.raw(new Frame.Ack(Lane.CONTROL, 0).encode());
            WireClient.connected(host);
        });
        device().release();
        assertArrayEquals(SegmentBuilder.bytes(3), client.fetch(1, 3).bytes());
    }

    @Test
    void anUploadIsThereForWhatIsLaunchedBehindIt() throws InterruptedException {
        var client = WireClient.connected(host);
        device().hold();
        client.bulk(TransfersTest.chunk(1, SegmentBuilder.bytes(4), 0, 4));
        client.run(new SegmentBuilder().upload(1, 1, DType.FLOAT32, 1).neg(2, 1));
        awaitThat(() -> device().launched() == 1);
        device().release();
        assertArrayEquals(SegmentBuilder.bytes(-4), client.fetch(1, 2).bytes());
    }

    /** Runs {@link #negated} once, so that its time is known. */
    private void warmUp(WireClient client) throws InterruptedException {
        client.run(negated(101));
        client.progress(1);
    }

    private static SegmentBuilder negated(long id) {
        return new SegmentBuilder().full(id, 1, 1).neg(id + 1, id);
    }

    /** Waits until the worker has done its work and waits for more. */
    private void awaitIdleWorker() {
        awaitThat(() -> device().queued() > 0
                && host.stats().load().queuedMessages() == 0
                && !runtime.scheduler().isAnyTaken());
    }

    private static void awaitThat(BooleanSupplier condition) {
        Await.until("the device is so", condition::getAsBoolean);
    }
}
