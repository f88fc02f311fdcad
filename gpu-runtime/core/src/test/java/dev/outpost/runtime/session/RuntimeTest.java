package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.plan.Planner;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;

/**
 * A runtime with the test's clock, which runs one kernel per instruction. Checks after every test that all memory was freed.
 */
abstract class RuntimeTest {
    static final long QUOTA = 1 << 20;

    final AtomicLong clock = new AtomicLong(1);
    final TimedEngine engine = engine();
    final RuntimeContext runtime = RuntimeContext.of(engine, Planner.plain(engine), settings(), clock::get);
    final RuntimeHost host = new RuntimeHost(runtime);

    TimedEngine engine() {
        return new TimedEngine(clock);
    }

    RuntimeSettings settings() {
        return RuntimeSettings.withQuota(QUOTA).withMaxSessions(4);
    }

    @AfterEach
    void allMemoryComesBack() throws InterruptedException {
        host.close();
        assertTrue(host.awaitIdle(Await.GUARD), () -> "left behind: " + host.stats());
        engine.close();
    }

    void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    void awaitIdle() throws InterruptedException {
        assertTrue(host.awaitIdle(Await.GUARD), () -> "still there: " + host.stats());
    }
}
