package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.session.context.Limits;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.runtime.session.stats.RuntimeStats;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client that reaches a limit is told its name, its value and the remedy; and the case is counted. */
class SessionLimitsTest extends RuntimeTest {

    @Override
    RuntimeSettings settings() {
        Limits limits = new Limits(2, 4, 2, 3, 5, 1000, Duration.ofSeconds(1));
        return RuntimeSettings.withQuota(QUOTA)
                .withMachineBytes(QUOTA + QUOTA / 2)
                .withLimits(limits);
    }

    @Test
    void sessions() throws InterruptedException {
        WireClient.connected(host);
        WireClient.connected(host);
        var third = new WireClient(host);
        third.connect(false);
        assertRefused(
                RuntimeLimit.SESSIONS,
                "the machine serves 2 sessions already: close a session, or ask for another machine",
                third.end());
    }

    @Test
    void connections() throws InterruptedException {
        var client = WireClient.connected(host);
        for (int connection = 1; connection < 4; connection++) {
            host.accept(new WireClient(host));
        }
        OutpostException refusal = assertThrows(OutpostException.class, () -> host.accept(new WireClient(host)));
        assertRefused(
                RuntimeLimit.CONNECTIONS,
                "the machine has 4 connections open already: close a connection, or ask for another machine",
                FaultMessages.of(refusal.kind(), refusal.getMessage()));
        client.cut();
        assertEquals(3, host.stats().connections());
        client.connect(true);
        client.welcome();
    }

    @Test
    void aConnectionThatTheRuntimeClosedIsNotCounted() throws InterruptedException {
        for (int time = 0; time < 10; time++) {
            var client = WireClient.connected(host);
            client.raw(new byte[0]);
            client.end();
            client.cut();
        }
        assertEquals(0, host.stats().connections());
    }

    @Test
    void aConnectionThatSaysNothingIsEndedAfterOneLease() throws InterruptedException {
        var silent = new WireClient(host);
        host.accept(silent);
        pass(Duration.ofSeconds(31));
        assertEquals("no hello arrived on the connection", silent.end().getMessage());
        // Its place is free once the connection is closed, which follows the last message.
        assertEquals("no hello arrived on the connection", silent.closed());
        assertEquals(0, host.stats().connections());
    }

    @Test
    void aConnectionWithoutAHelloGivesWayToOthers() throws InterruptedException {
        var client = WireClient.connected(host);
        var silent = new WireClient(host);
        for (int connection = 1; connection < 4; connection++) {
            host.accept(silent);
            pass(Duration.ofMillis(200));
        }
        WireClient.connected(host);
        assertEquals(
                "no hello arrived on the connection, and others need its place",
                silent.end().getMessage());
        client.acknowledge();
        assertEquals(4, host.stats().connections());
        assertEquals(2, host.sessionCount());
    }

    @Test
    void frameBytes() throws InterruptedException {
        var client = WireClient.connected(host);
        client.raw(new byte[Frame.MAX_BYTES + 1]);
        assertRefused(
                RuntimeLimit.FRAME_BYTES,
                "a frame of 8388609 bytes is over 8388608: send smaller frames",
                client.end());
    }

    @Test
    void queuedMessages() throws InterruptedException {
        var client = held();
        for (int message = 0; message < 6; message++) {
            client.free();
        }
        assertRefused(
                RuntimeLimit.QUEUED_MESSAGES,
                "over 5 messages are queued: wait for reports of progress before sending more",
                client.end());
    }

    @Test
    void queuedBytes() throws InterruptedException {
        var client = held();
        client.control(new ToRuntime.RunSegment(new byte[1001]));
        assertRefused(
                RuntimeLimit.QUEUED_BYTES,
                "over 1000 bytes of messages are queued: wait for reports of progress before sending more",
                client.end());
    }

    @Test
    void uploadsCountUntilTheyAreTaken() throws InterruptedException {
        var client = WireClient.connected(host);
        for (int upload = 1; upload <= 3; upload++) {
            client.bulk(TransfersTest.chunk(upload, SegmentBuilder.bytes(1), 0, 4));
        }
        client.run(new SegmentBuilder().upload(1, 1, DType.FLOAT32, 1));
        client.progress(1);
        assertEquals(2, host.stats().load().uploads());
        client.bulk(TransfersTest.chunk(4, SegmentBuilder.bytes(1), 0, 4));
        client.bulk(TransfersTest.chunk(5, SegmentBuilder.bytes(1), 0, 4));
        assertRefused(
                RuntimeLimit.UPLOADS,
                "over 3 uploads are in flight: run the instructions that use the uploads before sending more",
                client.end());
    }

    @Test
    void quota() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 1 << 20));
        assertRefused(
                RuntimeLimit.QUOTA,
                "full: out of memory, requested 4194304 bytes, free 1048576 of 1048576 bytes: close unneeded tensors, "
                        + "use scopes, or ask for more memory (full() -> float32[1048576])",
                client.fetchFailing(1, 1).getFault());
    }

    @Test
    void bytesOfAllSessions() throws InterruptedException {
        var first = WireClient.connected(host);
        first.run(new SegmentBuilder().full(1, 1, 1 << 18));
        first.progress(1);
        var second = WireClient.connected(host);
        second.run(new SegmentBuilder().full(1, 1, 3 << 16));
        assertRefused(
                RuntimeLimit.QUOTA,
                "full: out of memory, requested 786432 bytes, free 524288 of 1572864 bytes that all sessions share: close "
                        + "unneeded tensors, use scopes, or ask for more memory (full() -> float32[196608])",
                second.fetchFailing(1, 1).getFault());
        first.goodbye();
        second.run(new SegmentBuilder().full(2, 1, 3 << 16));
        second.fetch(2, 2);
    }

    @Test
    void plansMakeRoomForOthers() throws InterruptedException {
        var client = WireClient.connected(host);
        for (int size = 1; size <= 5; size++) {
            client.run(new SegmentBuilder().full(size, 1, size));
        }
        client.progress(5);
        RuntimeStats stats = host.stats();
        assertEquals(3, stats.refusals(RuntimeLimit.PLANS));
        assertEquals(2, stats.plans());
    }

    /** The time limit has passed when the fourth kernel would begin; uploads and views of existing values still work. */
    @Test
    void segmentTime() throws InterruptedException {
        engine.cost(Unary.NEG, Duration.ofMillis(400));
        var client = WireClient.connected(host);
        client.bulk(TransfersTest.chunk(1, SegmentBuilder.bytes(7), 0, 4));
        client.run(new SegmentBuilder()
                .full(1, 1, 1)
                .neg(2, 1)
                .neg(3, 2)
                .neg(4, 3)
                .neg(5, 4)
                .neg(6, 5)
                .upload(7, 1, DType.FLOAT32, 1));
        var failed = client.fetchFailing(1, 6);
        assertRefused(
                RuntimeLimit.SEGMENT_TIME,
                "neg: the kernels of one segment have run for over 1000 ms: record smaller segments, "
                        + "or ask for a higher limit (neg(float32[1]) -> float32[1])",
                failed.getFault());
        assertEquals(List.of(5L, 6L), failed.getLostList());
        assertArrayEquals(SegmentBuilder.bytes(-1), client.fetch(2, 4).bytes());
        assertArrayEquals(SegmentBuilder.bytes(7), client.fetch(3, 7).bytes());
        client.run(new SegmentBuilder().neg(8, 7));
        assertArrayEquals(SegmentBuilder.bytes(-7), client.fetch(4, 8).bytes());
    }

    @Test
    void waitingIsNoSegmentTime() throws InterruptedException {
        engine.cost(Unary.NEG, Duration.ofMillis(400));
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder()
                .full(1, 1, 1)
                .neg(2, 1)
                .upload(3, 1, DType.FLOAT32, 1)
                .neg(4, 3));
        awaitEngineTime(Duration.ofMillis(400));
        pass(Duration.ofSeconds(20));
        client.bulk(TransfersTest.chunk(1, SegmentBuilder.bytes(7), 0, 4));
        assertArrayEquals(SegmentBuilder.bytes(-7), client.fetch(1, 4).bytes());
    }

    /** Waits until the session has been charged that much time, so that none of its kernels is still running. */
    private void awaitEngineTime(Duration time) {
        Await.until(
                time + " are on the account",
                () -> host.sessions().getFirst().work().engineNanos() >= time.toNanos());
    }

    @Test
    void labelsAreStable() {
        assertEquals("segment_time", RuntimeLimit.SEGMENT_TIME.label());
    }

    @Test
    void settingsThatCannotBeAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> Limits.DEFAULT.withPlans(0));
        assertThrows(IllegalArgumentException.class, () -> Limits.DEFAULT.withUploads(0));
        assertThrows(IllegalArgumentException.class, () -> Limits.DEFAULT.withConnections(0));
        assertThrows(IllegalArgumentException.class, () -> Limits.DEFAULT.withQueue(1, 0));
        assertThrows(IllegalArgumentException.class, () -> Limits.DEFAULT.withSegmentTime(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> settings().withTurns(0));
    }

    /** A client whose worker has taken a message and waits, so that later messages are queued. */
    private WireClient held() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().upload(1, 1, DType.FLOAT32, 4));
        Await.until("the worker has the message", () -> host.stats().load().queuedMessages() == 0);
        return client;
    }

    private void assertRefused(RuntimeLimit limit, String message, Fault fault) {
        assertEquals(message, fault.getMessage());
        assertEquals(FaultKind.RESOURCES, FaultMessages.kind(fault));
        assertTrue(host.stats().refusals(limit) == 1, () -> limit + " was not counted: " + host.stats());
    }
}
