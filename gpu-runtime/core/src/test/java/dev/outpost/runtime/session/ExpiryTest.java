package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.channel.frame.Frame;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.session.context.ActivityTracker;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.session.schedule.GrantTimeShare;
import dev.outpost.runtime.session.schedule.HeldTime;
import dev.outpost.runtime.session.schedule.SingleWriterLong;
import dev.outpost.runtime.session.schedule.TimeSlice;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests which messages keep a session alive, and which count as use. */
class ExpiryTest extends RuntimeTest {
    private static final Duration UNUSED = Duration.ofSeconds(30);
    private static final Duration IDLE = Duration.ofMinutes(10);

    private final ActivityTracker activity = runtime.activity();
    private final Sessions nobody = new Sessions(runtime);
    private final List<RuntimeTermination> told = new ArrayList<>();

    /** A lease longer than the tested times, so that sessions keep their leases. */
    @Override
    RuntimeSettings settings() {
        return super.settings().withLease(Duration.ofDays(1));
    }

    @Test
    void theTimeRunsFromTheBeginning() {
        pass(IDLE);
        Expiry expiry = expiry(nobody);
        expiry.tick();
        assertEquals(List.of(), told);
        pass(UNUSED.plusNanos(1));
        expiry.tick();
        assertEquals(RuntimeTermination.Kind.UNUSED, told.getFirst().kind());
    }

    /** A member of a group waits for the other members. */
    @Test
    void theFirstClientMayTakeLongerThanLaterOnes() {
        Lifetime lifetime = new Lifetime(Optional.of(UNUSED), Optional.empty(), Optional.of(IDLE));
        Expiry expiry = new Expiry(lifetime, runtime, nobody, told::add);
        pass(IDLE);
        expiry.tick();
        assertEquals(List.of(), told);
        activity.onMessage(runtime.now());
        pass(UNUSED.plusNanos(1));
        expiry.tick();
        assertEquals(RuntimeTermination.Kind.UNUSED, told.getFirst().kind());
    }

    @Test
    void aFirstClientThatNeverComesEndsIt() {
        Lifetime lifetime = new Lifetime(Optional.of(UNUSED), Optional.empty(), Optional.of(IDLE));
        Expiry expiry = new Expiry(lifetime, runtime, nobody, told::add);
        pass(IDLE.plusNanos(1));
        expiry.tick();
        assertEquals(
                "unused: no client has sent anything for 10 min",
                told.getFirst().line());
    }

    @Test
    void theEndIsToldOnce() {
        Expiry expiry = expiry(nobody);
        pass(IDLE.plusNanos(1));
        expiry.tick();
        expiry.tick();
        assertEquals(1, told.size());
    }

    @Test
    void everyFrameExtendsTheLease() throws InterruptedException {
        long before = activity.lastHeard();
        pass(UNUSED);
        var client = WireClient.connected(host);
        assertEquals(clock.get(), activity.lastHeard());
        pass(UNUSED);
        client.acknowledge();
        assertEquals(clock.get(), activity.lastHeard());
        pass(UNUSED);
        client.control(new ToRuntime.Free(new long[0]));
        assertEquals(clock.get(), activity.lastHeard());
        assertEquals(before, activity.used(), "none of this is use");
    }

    @Test
    void connectionWithoutASessionDoesNotCount() {
        long before = activity.lastHeard();
        pass(UNUSED);
        var stranger = new WireClient(host);
        stranger.connect(true);
        host.accept(stranger).onFrame(new Frame.Ack(Lane.CONTROL, 0).encode());
        assertEquals(before, activity.lastHeard());
    }

    @Test
    void segmentsFetchesAndUploadsAreUse() throws InterruptedException {
        var client = WireClient.connected(host);
        pass(IDLE);
        client.run(new SegmentBuilder().full(1, 7, 1));
        assertEquals(clock.get(), activity.used());
        client.progress(1);
        pass(IDLE);
        client.control(new ToRuntime.Fetch(1, 1));
        assertEquals(clock.get(), activity.used());
        pass(IDLE);
        client.bulk(new ToRuntime.UploadChunk(1, DType.FLOAT32, 8, 0, new byte[4]));
        assertEquals(clock.get(), activity.used());
    }

    @Test
    void machineThatIsKeptWaitsForAnotherLease() {
        RuntimeHost kept = host;
        CompletableFuture<RuntimeTermination> end = new CompletableFuture<>();
        Expiry expiry = expiry(nobody);
        pass(UNUSED);
        kept.keep();
        pass(UNUSED);
        expiry.tick();
        assertEquals(List.of(), told);
        pass(Duration.ofNanos(1));
        expiry.tick();
        assertEquals(1, told.size());
    }

    @Test
    void computingMachineCountsAsUsed() throws InterruptedException {
        TimeSlice slice =
                runtime.scheduler().enter(new SingleWriterLong(), new HeldTime(), new GrantTimeShare(100), () -> {});
        slice.take();
        Expiry expiry = expiry(nobody);
        pass(IDLE.plusNanos(1));
        activity.onMessage(clock.get());
        expiry.tick();
        assertEquals(List.of(), told);
        slice.release();
        pass(IDLE);
        activity.onMessage(clock.get());
        expiry.tick();
        assertEquals(List.of(), told, "the time runs from the end of the work");
        pass(Duration.ofNanos(1));
        expiry.tick();
        assertEquals("idle: no instruction arrived for 10 min", told.getFirst().line());
    }

    @Test
    void anAnswerOnItsWayIsUse() throws InterruptedException {
        Sessions sessions = new Sessions(runtime);
        Session session = sessions.greet(
                ConnectionMessages.hello(new UUID(1, 2), false, new long[2], ProtocolVersions.CURRENT),
                runtime.grants().owner());
        assertFalse(sessions.isBusy());
        session.onData(
                new Frame.Data(
                        Lane.CONTROL,
                        1,
                        0,
                        new ToRuntime.RunSegment(
                                        new SegmentBuilder().full(1, 7, 1).toByteArray())
                                .encode()),
                100);
        Await.until(
                "the segment has run",
                () -> sessions.isBusy() && !runtime.scheduler().isAnyTaken());
        // The report of the work is on its way to a client that is gone.
        assertTrue(sessions.isBusy());
        acknowledgeFirst(session);
        Await.until("nothing is on its way", () -> !sessions.isBusy());
        session.end(RuntimeTermination.DRAINED.farewell());
        sessions.tick(clock.get());
    }

    @Test
    void aMachineThatIsIdleDrainsAndSaysSo() throws Exception {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 7, 1));
        client.progress(1);
        CompletableFuture<RuntimeTermination> end = new CompletableFuture<>();
        host.expireAfter(new Lifetime(Optional.empty(), Optional.of(IDLE)), end::complete);
        // A report may still be on its way, and counts as use until it has arrived.
        Await.until("the machine is idle", () -> {
            client.acknowledge();
            pass(IDLE.plusNanos(1));
            return end.isDone();
        });
        assertTrue(host.drain(Await.GUARD, end.join()));
        assertEquals(End.Cause.IDLE, client.lastWord().getCause());
    }

    /** A slow device reports after its session has stopped being busy. */
    private static void acknowledgeFirst(Session session) {
        Await.until("the report was sent", () -> {
            try {
                session.onAck(new Frame.Ack(Lane.CONTROL, 1), 10);
                return true;
            } catch (MalformedException ignored) {
                return false;
            }
        });
    }

    private Expiry expiry(Sessions sessions) {
        Lifetime lifetime = new Lifetime(Optional.of(UNUSED), Optional.of(IDLE));
        return new Expiry(lifetime, runtime, sessions, told::add);
    }
}
