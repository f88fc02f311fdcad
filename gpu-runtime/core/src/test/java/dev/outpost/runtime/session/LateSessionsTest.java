package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.runtime.session.schedule.EngineScheduler;
import dev.outpost.runtime.session.stats.SessionStats;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The tests of sessions, with an engine that runs kernels, reads and writes later on a separate thread. */
class LateSessionsTest {
    @Nested
    class FairTurns extends FairTurnsTest {
        /** A session whose last kernel was launched needs no turn; this one has more to launch, and waits for its device. */
        @Override
        @Test
        void waitingForOthersIsCounted() throws InterruptedException {
            costs(10, 1);
            holdUpHeavy(1);
            var heavy = client(HEAVY, 5);
            await(reached);
            var tiny = client(TINY, 1);
            awaitThat(runtime.scheduler()::isContended);
            pass(Duration.ofMillis(7));
            gate.countDown();
            heavy.progress(1);
            tiny.progress(1);
            List<SessionStats> sessions = host.sessions();
            // The wait by the host's clock, until the device has computed for a quantum.
            assertEquals(
                    Duration.ofMillis(7).plus(EngineScheduler.QUANTUM).toNanos(),
                    sessions.get(1).work().turnWaitNanos());
        }

        @Override
        TimedEngine engine() {
            return new LateEngine(clock);
        }
    }

    @Nested
    class Limits extends SessionLimitsTest {
        @Override
        TimedEngine engine() {
            return new LateEngine(clock);
        }
    }

    @Nested
    class Stats extends StatsTest {
        @Override
        TimedEngine engine() {
            return new LateEngine(clock);
        }
    }

    @Nested
    class Transfers extends TransfersTest {
        /** The value's bytes are in the host's memory by then. */
        @Override
        @Test
        void aValueOnItsWayHoldsItsMemoryUntilItIsAcknowledged() throws InterruptedException {
            var client = WireClient.connected(host);
            client.mute = true;
            client.run(new SegmentBuilder().full(1, 7, 1 << 17));
            client.fetch(1, 1);
            client.free(1);
            download(client, 1, 4 << 17);
            awaitLiveBytes(0);
            assertEquals(4 << 17, runtime.sharedQuotas().stagedBytes().used());
            client.mute = false;
            client.acknowledge();
            assertEquals(0, runtime.sharedQuotas().stagedBytes().used());
        }

        @Override
        TimedEngine engine() {
            return new LateEngine(clock);
        }
    }

    @Nested
    class Trace extends TraceTest {
        @Override
        TimedEngine engine() {
            return new LateEngine(clock);
        }
    }

    @Nested
    class Watch extends SessionWatchTest {
        @Override
        TimedEngine engine() {
            return new LateEngine(clock);
        }
    }

    @Nested
    class Programs extends ProgramsTest {
        @Override
        TimedEngine engine() {
            return new LateEngine(clock);
        }
    }

    @Nested
    class Updates extends GuardedUpdatesTest {
        @Override
        TimedEngine engine() {
            return new LateEngine(clock);
        }
    }

    @Nested
    class Poison extends PoisonTest {
        @Override
        TimedEngine engine() {
            return new LateEngine(clock);
        }
    }

    @Nested
    class Explain extends SessionExplainTest {
        @Override
        TimedEngine engine() {
            return new LateEngine(clock);
        }
    }

    @Nested
    class Drain extends SessionDrainTest {
        @Override
        TimedEngine engine() {
            return new LateEngine(clock);
        }
    }

    @Nested
    class Expiry extends ExpiryTest {
        @Override
        TimedEngine engine() {
            return new LateEngine(clock);
        }
    }
}
