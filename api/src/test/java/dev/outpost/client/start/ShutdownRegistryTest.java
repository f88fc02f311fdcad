package dev.outpost.client.start;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class ShutdownRegistryTest {
    private final List<Runnable> hooks = new ArrayList<>();
    private final AtomicInteger released = new AtomicInteger();

    @Test
    void noShutdownHookWithoutMachines() {
        holdings(Await.GUARD);
        assertEquals(List.of(), hooks);
    }

    @Test
    void remainingMachinesAreReleasedAtExit() {
        ShutdownRegistry shutdown = holdings(Await.GUARD);
        ShutdownRegistry.Holding closed = () -> released.addAndGet(100);
        shutdown.add(closed);
        shutdown.add(() -> released.addAndGet(10));
        shutdown.add(() -> released.addAndGet(1));
        shutdown.remove(closed);
        assertEquals(1, hooks.size());
        hooks.get(0).run();
        assertEquals(11, released.get());
    }

    /** The closing machines wait for each other, so they must be closed concurrently. */
    @Test
    void machinesAreReleasedInParallel() {
        ShutdownRegistry shutdown = holdings(Await.GUARD);
        CountDownLatch both = new CountDownLatch(2);
        for (int holding = 0; holding < 2; holding++) {
            shutdown.add(() -> {
                both.countDown();
                await(both);
                released.incrementAndGet();
            });
        }
        hooks.get(0).run();
        assertEquals(2, released.get());
    }

    @Test
    void exitWaitsForAReleaseOnlySoLong() throws Exception {
        ShutdownRegistry shutdown = holdings(Duration.ofMillis(20));
        CountDownLatch never = new CountDownLatch(1);
        shutdown.add(() -> await(never));
        Await.within("the exit goes on", () -> hooks.get(0).run());
        never.countDown();
    }

    private ShutdownRegistry holdings(Duration timeout) {
        return new ShutdownRegistry(timeout, hooks::add);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
