package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.Lane;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.runtime.session.stats.LaneTraffic;
import dev.outpost.runtime.session.stats.RuntimeLoad;
import dev.outpost.runtime.session.stats.RuntimeStats;
import dev.outpost.runtime.session.stats.SessionState;
import dev.outpost.runtime.session.stats.SessionStats;
import dev.outpost.runtime.session.stats.WorkCounters;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class StatsTest extends RuntimeTest {

    @Test
    void aSessionCountsWhatItHoldsAndHasDone() throws InterruptedException {
        engine.cost(Unary.NEG, Duration.ofMillis(3));
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 100).neg(2, 1));
        client.run(new SegmentBuilder().neg(3, 2).drop(2));
        client.bulk(TransfersTest.chunk(1, SegmentBuilder.bytes(1, 2), 0, 4));
        client.progress(2);
        SessionStats stats = host.sessions().getFirst();
        assertEquals(new RuntimeLoad(808, 2, 0, 0, 1), stats.load());
        WorkCounters work = stats.work();
        assertEquals(2, work.segments());
        assertEquals(3, work.kernels());
        assertEquals(Duration.ofMillis(6).toNanos(), work.engineNanos());
        assertEquals(2, work.plansMade());
        assertEquals(0, work.turnWaitNanos());
    }

    /** The clock is read only for a few kernels. */
    @Test
    void theTimeOfManySmallKernelsIsAGoodGuess() throws InterruptedException {
        engine.cost(Unary.NEG, Duration.ofNanos(500));
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 1));
        SegmentBuilder negations = new SegmentBuilder();
        for (int op = 0; op < 4000; op++) {
            negations.neg(2 + op, 1 + op);
        }
        client.run(negations);
        client.progress(2);
        WorkCounters work = host.sessions().getFirst().work();
        assertEquals(4001, work.kernels());
        assertEquals(
                Duration.ofMillis(2).toNanos(),
                work.engineNanos(),
                Duration.ofNanos(400_000).toNanos());
    }

    @Test
    void sessionsHaveNumbersAndAges() throws InterruptedException {
        WireClient.connected(host);
        pass(Duration.ofSeconds(2));
        var second = WireClient.connected(host);
        second.cut();
        pass(Duration.ofSeconds(3));
        List<SessionStats> sessions = host.sessions();
        assertEquals(
                List.of(1L, 2L), sessions.stream().map(SessionStats::number).toList());
        assertEquals(Duration.ofSeconds(5), sessions.getFirst().age());
        assertTrue(sessions.getFirst().connected());
        assertEquals(Duration.ZERO, sessions.getFirst().disconnected());
        assertFalse(sessions.get(1).connected());
        assertEquals(Duration.ofSeconds(3), sessions.get(1).disconnected());
    }

    @Test
    void anEndedSessionIsShownAsSuch() throws InterruptedException {
        var client = WireClient.connected(host);
        client.raw(new byte[0]);
        client.end();
        SessionStats stats = host.sessions().getFirst();
        assertEquals(SessionState.ENDED, stats.state());
        assertFalse(stats.connected());
        assertEquals(0, host.stats().sessions());
    }

    @Test
    void workDoneOutlivesTheSession() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 1));
        client.goodbye();
        client.acknowledge();
        Await.until("the session is gone", () -> host.sessions().isEmpty());
        WorkCounters before = host.stats().work();
        assertEquals(1, before.segments());
        var next = WireClient.connected(host);
        next.run(new SegmentBuilder().full(1, 1, 1));
        next.progress(1);
        WorkCounters after = host.stats().work();
        assertEquals(2, after.segments());
        assertTrue(
                after.traffic().in().get(Lane.CONTROL) > before.traffic().in().get(Lane.CONTROL));
    }

    @Test
    void bytesAreCountedByLaneAndDirection() throws InterruptedException {
        var client = WireClient.connected(host);
        LaneTraffic before = host.sessions().getFirst().work().traffic();
        byte[] upload = client.next(
                Lane.BULK, TransfersTest.chunk(1, new byte[100_000], 0, 100_000).encode());
        client.raw(upload);
        client.run(new SegmentBuilder().upload(1, 1, DType.FLOAT32, 25_000));
        client.control(new ToRuntime.Fetch(1, 1));
        client.take(ToClient.Fetched.class);
        client.take(ToClient.DownloadChunk.class);
        LaneTraffic traffic = host.sessions().getFirst().work().traffic();
        assertTrue(
                traffic.in().get(Lane.BULK) >= upload.length && traffic.in().get(Lane.BULK) < upload.length + 100,
                traffic::toString);
        assertTrue(
                traffic.out().get(Lane.BULK) >= 100_000 && traffic.out().get(Lane.BULK) < 101_000, traffic::toString);
        assertTrue(
                traffic.in().get(Lane.CONTROL) > before.in().get(Lane.CONTROL)
                        && traffic.in().get(Lane.CONTROL) < 1000,
                traffic::toString);
        assertTrue(
                traffic.out().get(Lane.CONTROL) > before.out().get(Lane.CONTROL)
                        && traffic.out().get(Lane.CONTROL) < 1000,
                traffic::toString);
    }

    @Test
    void theMachineAddsUpItsSessions() throws InterruptedException {
        for (int session = 0; session < 3; session++) {
            var client = WireClient.connected(host);
            client.run(new SegmentBuilder().full(1, 1, 10));
            client.progress(1);
        }
        RuntimeStats stats = host.stats();
        assertEquals(3, stats.sessions());
        assertEquals(3, stats.connections());
        assertEquals(1, stats.plans());
        assertEquals(new RuntimeLoad(120, 3, 0, 0, 0), stats.load());
        assertEquals(3, stats.work().segments());
        assertEquals(1, stats.work().plansMade());
        assertEquals(0, stats.refusals(RuntimeLimit.SESSIONS));
    }

    /** A holder of a session's UUID can take it over. */
    @Test
    void theUuidIsNowhere() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 1));
        client.progress(1);
        String shown = host.sessions() + " " + host.stats();
        String threads = Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .collect(Collectors.joining(" "));
        assertFalse((shown + threads).contains(client.id.toString()));
        assertTrue(threads.contains("outpost-session-1"));
        client.connect(false);
        assertFalse(client.end().getMessage().contains(client.id.toString()));
    }
}
