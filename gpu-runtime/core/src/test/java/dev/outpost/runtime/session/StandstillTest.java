package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a host whose ticker is late or hits a defect. */
class StandstillTest {
    private final AtomicLong clock = new AtomicLong(1);
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean defective;
    private final AtomicInteger asksUntilJump = new AtomicInteger();

    private final EngineOnTop engine = new EngineOnTop() {
        /** Called in each round of the ticker. */
        @Override
        public Optional<String> brokenBy() {
            asked.incrementAndGet();
            if (defective) {
                throw new IllegalStateException("a defect");
            }
            return Optional.empty();
        }
    };

    private final RuntimeHost host = new RuntimeHost(engine, RuntimeSettings.withQuota(1 << 20), this::now);

    /** The ticker reads the clock first and then checks the sessions. */
    private long now() {
        long before = clock.get();
        boolean isTickers = Thread.currentThread().getName().equals("outpost-ticker");
        if (isTickers && asksUntilJump.get() > 0 && asksUntilJump.decrementAndGet() == 0) {
            pass(Duration.ofSeconds(34));
        }
        return before;
    }

    @AfterEach
    void close() {
        host.close();
        engine.close();
    }

    @Test
    void timeInWhichTheProcessStoodStillEndsNoSession() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 7, 1));
        client.fetch(1, 1);
        pass(Duration.ofSeconds(34));
        awaitRounds();
        client.fetch(2, 1);
        assertEquals(1, host.sessionCount());
    }

    /** The time jumps during a round of the ticker, so that the lease seems over to this round. */
    @Test
    void soDoesTimeWithinARoundOfTheTicker() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 7, 1));
        client.fetch(1, 1);
        for (int asks = 1; asks <= 2; asks++) {
            asksUntilJump.set(asks);
            Await.until("the time has jumped", () -> asksUntilJump.get() == 0);
            awaitRounds();
            client.fetch(1 + asks, 1);
        }
        assertEquals(1, host.sessionCount());
    }

    @Test
    void aClientThatStaysSilentAfterwardsStillLosesItsSession() throws InterruptedException {
        var client = WireClient.connected(host);
        pass(Duration.ofSeconds(34));
        awaitRounds();
        for (int second = 0; second < 32; second++) {
            pass(Duration.ofSeconds(1));
            awaitRounds();
        }
        assertTrue(client.end().getMessage().startsWith("the lease ran out"));
    }

    @Test
    void aDefectStopsNoTicker() throws InterruptedException {
        var client = WireClient.connected(host);
        defective = true;
        awaitRounds();
        for (int second = 0; second < 32; second++) {
            pass(Duration.ofSeconds(1));
            awaitRounds();
        }
        assertTrue(client.end().getMessage().startsWith("the lease ran out"));
        assertTrue(host.stats().defects() > 0);
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    /** Waits for two rounds: one that may have begun before, and one that has seen the present time. */
    private void awaitRounds() {
        int seen = asked.get();
        Await.until("two rounds of the ticker", () -> asked.get() >= seen + 2);
    }
}
