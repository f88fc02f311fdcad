package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.session.stats.SessionState;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SessionDrainTest extends RuntimeTest {
    private static final Duration LONG = Await.GUARD;
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Fault SHUTDOWN = FaultMessages.of(FaultKind.EXTERNAL, "the machine is shutting down");

    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void openTheGate() {
        gate.countDown();
    }

    @Test
    void idleSessionsEndAtOnce() throws InterruptedException {
        var first = WireClient.connected(host);
        var second = WireClient.connected(host);
        assertTrue(host.drain(LONG, RuntimeTermination.DRAINED));
        assertEquals(SHUTDOWN, first.end());
        assertEquals(SHUTDOWN, second.end());
        assertEquals(SHUTDOWN.getMessage(), first.closed());
        assertEquals(0, host.sessionCount());
        assertEquals(0, host.stats().connections());
    }

    @Test
    void aClientThatWantsToSaveItsStateIsToldAndAwaited() throws Exception {
        var client = WireClient.connected(host);
        client.control(ToRuntime.Request.noticeEnd());
        var drained = drain(LONG);
        ToClient.Reply notice = client.take(ToClient.Reply.class);
        assertEquals(LONG.toMillis(), notice.reply().getEnding().getMillis());
        // The machine still computes.
        client.run(new SegmentBuilder().full(1, 3, 10));
        assertEquals(1, client.fetch(1, 1).fetch());
        client.goodbye();
        client.acknowledgeUntilTheEnd();
        assertTrue(drained.get());
    }

    @Test
    void aClientThatDoesNotReactIsNotAwaitedForLong() throws Exception {
        var client = WireClient.connected(host);
        client.control(ToRuntime.Request.noticeEnd());
        var drained = drain(LONG);
        client.take(ToClient.Reply.class);
        assertEquals(SHUTDOWN, client.acknowledgeUntilTheEnd());
        assertTrue(drained.get());
    }

    @Test
    void clientsAreToldWhatTheEndMeans() throws InterruptedException {
        var client = WireClient.connected(host);
        assertTrue(host.drain(
                LONG, new RuntimeTermination(RuntimeTermination.Kind.IDLE, "no instruction arrived for 10 min")));
        var told = ConnectionMessages.end(
                FaultMessages.of(FaultKind.EXTERNAL, "no instruction arrived for 10 min"), End.Cause.IDLE);
        assertEquals(told, client.lastWord());
        client.connect(true);
        assertEquals(told, client.lastWord());
        var newcomer = new WireClient(host);
        newcomer.connect(false);
        assertEquals(told, newcomer.lastWord());
        host.close();
        newcomer.connect(false);
        assertEquals(told, newcomer.lastWord());
    }

    @Test
    void queuedWorkIsFinishedAndAnswered() throws Exception {
        holdUp();
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 3, 100_000).neg(2, 1).drop(1));
        client.run(new SegmentBuilder().neg(3, 2).drop(2));
        client.control(new ToRuntime.Fetch(1, 3));
        var drained = drain(LONG);
        gate.countDown();
        assertEquals(1, client.take(ToClient.Fetched.class).fetch());
        client.take(ToClient.DownloadChunk.class);
        client.take(ToClient.DownloadChunk.class);
        assertEquals(SHUTDOWN, client.acknowledgeUntilTheEnd());
        assertTrue(drained.get());
    }

    @Test
    void laterWorkIsNeitherRunNorAcknowledged() throws Exception {
        holdUp();
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 3, 1).neg(2, 1));
        var drained = drainWhileHeldUp();
        client.run(new SegmentBuilder().full(3, 1, 1));
        client.cut();
        client.connect(true);
        assertEquals(List.of(1L, 0L), client.welcome().getReceivedList());
        gate.countDown();
        assertEquals(SHUTDOWN, client.acknowledgeUntilTheEnd());
        assertTrue(drained.get());
        assertEquals(1, host.stats().work().segments());
    }

    @Test
    void anUploadThatIsNotWholeNeverWillBe() throws InterruptedException {
        var client = WireClient.connected(host);
        client.bulk(TransfersTest.chunk(1, SegmentBuilder.bytes(1, 2), 0, 4));
        client.run(new SegmentBuilder().upload(1, 1, DType.FLOAT32, 2));
        client.control(new ToRuntime.Fetch(1, 1));
        var drained = drain(LONG);
        Fault fault = client.fetchFailed().getFault();
        assertEquals(FaultKind.EXTERNAL, FaultMessages.kind(fault));
        assertEquals("upload: the machine is shutting down (upload() -> float32[2])", fault.getMessage());
        assertEquals(SHUTDOWN, client.acknowledgeUntilTheEnd());
        assertTrue(drained.join());
    }

    @Test
    void newSessionsAreRefused() throws Exception {
        holdUp();
        var busy = WireClient.connected(host);
        busy.run(new SegmentBuilder().full(1, 3, 1).neg(2, 1));
        var drained = drainWhileHeldUp();
        var client = new WireClient(host);
        client.connect(false);
        assertEquals(SHUTDOWN, client.end());
        gate.countDown();
        busy.acknowledgeUntilTheEnd();
        assertTrue(drained.get());
    }

    @Test
    void sessionThatDoesNotFinishInTimeIsEnded() throws InterruptedException {
        holdUp();
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 3, 1).neg(2, 1));
        assertFalse(host.drain(SHORT, RuntimeTermination.DRAINED));
        assertEquals(SHUTDOWN, client.end());
    }

    @Test
    void sessionThatDoesNotAcknowledgeInTimeIsEnded() throws InterruptedException {
        var client = WireClient.connected(host);
        client.mute = true;
        client.run(new SegmentBuilder().full(1, 3, 1));
        client.progress(1);
        assertFalse(host.drain(SHORT, RuntimeTermination.DRAINED));
        assertEquals(SHUTDOWN, client.end());
    }

    @Test
    void aGoodbyeThatIsUnderWayIsAnswered() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 3, 1));
        client.control(ToRuntime.Request.goodbye());
        var drained = drain(LONG);
        client.farewell();
        client.acknowledge();
        assertTrue(drained.join());
    }

    @Test
    void clientThatHungUpBehindItsGoodbyeIsWaitedForBriefly() throws InterruptedException {
        var client = WireClient.connected(host);
        client.mute = true;
        client.control(ToRuntime.Request.goodbye());
        client.farewell();
        client.cut();
        var drained = drain(LONG);
        pass(Duration.ofSeconds(2));
        assertTrue(drained.join());
    }

    @Test
    void clientThatBrokeBehindItsGoodbyeIsNotWaitedFor() throws InterruptedException {
        var client = WireClient.connected(host);
        client.control(ToRuntime.Request.goodbye());
        Await.until("the client has left", () -> host.sessions().getFirst().state() == SessionState.LEFT);
        client.raw(new byte[0]);
        assertTrue(host.drain(LONG, RuntimeTermination.DRAINED));
    }

    @Test
    void nothingStaysInTheQueueOfASessionThatHasEnded() throws InterruptedException {
        var client = WireClient.connected(host);
        client.raw(new byte[0]);
        client.end();
        assertTrue(host.drain(LONG, RuntimeTermination.DRAINED));
        awaitQueued(0);
    }

    /** Makes negations wait at the gate. */
    private void holdUp() {
        engine.during(Unary.NEG, () -> {
            try {
                gate.await();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });
    }

    private CompletableFuture<Boolean> drain(Duration atMost) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return host.drain(atMost, RuntimeTermination.DRAINED);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });
    }

    /** Waits until the worker has its work and the machine accepts nothing more. */
    private CompletableFuture<Boolean> drainWhileHeldUp() throws InterruptedException {
        awaitQueued(0);
        var idle = WireClient.connected(host);
        var drained = drain(LONG);
        // Idle sessions end after every session was told to accept nothing more.
        idle.end();
        return drained;
    }

    private void awaitQueued(int messages) {
        Await.until(messages + " messages are queued", () -> host.stats().load().queuedMessages() == messages);
    }
}
