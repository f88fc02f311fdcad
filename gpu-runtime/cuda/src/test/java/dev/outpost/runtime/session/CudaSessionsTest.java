package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.message.ExplanationMessage;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.runtime.cuda.emulation.EmulatedGpu;
import dev.outpost.runtime.cuda.engine.EmulatedEngines;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.plan.Planner;
import dev.outpost.runtime.session.context.Limits;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions on an emulated GPU: times are those of the GPU, and threads that serve other sessions do not wait for it. */
class CudaSessionsTest {
    private static final Duration AT_ONCE = Await.GUARD;

    private final EmulatedGpu gpu = new EmulatedGpu(1L << 26);
    private final Engine engine = EmulatedEngines.over(gpu);
    private final AtomicLong clock = new AtomicLong(1);
    private final RuntimeSettings settings =
            RuntimeSettings.withQuota(1 << 24).withLimits(Limits.DEFAULT.withSegmentTime(Duration.ofSeconds(1)));
    private final RuntimeContext runtime = RuntimeContext.of(engine, Planner.plain(engine), settings, clock::get);
    private final RuntimeHost host = new RuntimeHost(runtime);

    @AfterEach
    void allMemoryComesBack() throws InterruptedException {
        gpu.resume();
        host.close();
        assertTrue(host.awaitIdle(AT_ONCE), () -> "left behind: " + host.stats());
        engine.close();
        assertEquals(0, gpu.liveMarks());
    }

    private static SegmentBuilder chain(long first, int count) {
        SegmentBuilder segments = new SegmentBuilder().full(first, 1, 1);
        for (int at = 1; at <= count; at++) {
            segments.neg(first + at, first + at - 1);
        }
        return segments;
    }

    @Test
    void engineTimeIsWhatTheDeviceSays() throws InterruptedException {
        gpu.kernelsTake(Duration.ofMillis(3));
        var client = WireClient.connected(host);
        client.run(chain(1, 3));
        assertEquals(Duration.ofMillis(12).toNanos(), client.progress(1).engineNanos());
        client.control(ToRuntime.Request.explain(1, 2));
        Explanation explanation = ExplanationMessage.read(client.explained().getExplanation());
        assertEquals(3_000_000, explanation.kernels().getLast().times().lastNanos());
    }

    @Test
    void theTimeOfASegmentIsTheDevices() throws InterruptedException {
        gpu.kernelsTake(Duration.ofMillis(400));
        var client = WireClient.connected(host);
        client.run(chain(1, 6));
        assertTrue(client.fetchFailing(1, 7)
                .getFault()
                .getMessage()
                .startsWith("neg: the kernels of one segment have run for over 1000 ms"));
        assertArrayEquals(SegmentBuilder.bytes(1), client.fetch(2, 3).bytes());
    }

    @Test
    void kernelsThatHaveNotRunAreNotReported() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 1));
        client.progress(1);
        gpu.hold();
        client.run(new SegmentBuilder().full(2, 1, 1));
        awaitThat(() -> gpu.waiting() > 0
                && host.stats().load().queuedMessages() == 0
                && !runtime.scheduler().isAnyTaken());
        assertEquals(1, host.stats().work().segments());
        gpu.resume();
        client.progress(2);
    }

    @Test
    void aDownloadHoldsUpNobody() throws Exception {
        var client = WireClient.connected(host);
        var other = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 3, 1 << 17));
        client.progress(1);
        gpu.hold();
        client.fetchLater(1, 1);
        awaitThat(() -> gpu.waiting() > 0);
        Await.within("nobody waits for the device", () -> {
            client.raw(new Frame.Ack(Lane.BULK, 0).encode());
            clock.addAndGet(Duration.ofSeconds(31).toNanos());
            assertTrue(other.end().getMessage().startsWith("the lease ran out"));
        });
    }

    /** An acknowledged segment is run to its end, and its answers are sent, before the session ends. */
    @Test
    void aDrainWaitsForTheGpu() throws Exception {
        var client = WireClient.connected(host);
        client.run(chain(1, 1));
        client.progress(1);
        gpu.hold();
        client.run(chain(10, 1));
        client.fetchLater(1, 11);
        awaitThat(() -> gpu.waiting() > 0
                && host.stats().load().queuedMessages() == 0
                && !runtime.scheduler().isAnyTaken());
        assertTrue(host.isBusy());
        var drained = CompletableFuture.supplyAsync(this::drain);
        awaitThat(host::isDraining);
        gpu.resume();
        assertArrayEquals(
                SegmentBuilder.bytes(-1), client.take(ToClient.Fetched.class).bytes());
        assertEquals(
                "the machine is shutting down", client.acknowledgeUntilTheEnd().getMessage());
        assertTrue(drained.get());
    }

    private boolean drain() {
        try {
            return host.drain(AT_ONCE, RuntimeTermination.DRAINED);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static void awaitThat(BooleanSupplier condition) {
        Await.until("the device is so", condition::getAsBoolean);
    }
}
