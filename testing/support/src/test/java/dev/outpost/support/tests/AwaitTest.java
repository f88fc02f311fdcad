package dev.outpost.support.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the guards of tests. */
@Tag("quick")
class AwaitTest {

    @Test
    void conditionsAreLookedAtUntilTheyHold() {
        AtomicInteger looks = new AtomicInteger();
        Await.until("five looks", () -> looks.incrementAndGet() == 5);
        assertEquals(5, looks.get());
        assertEquals("there", Await.present("a value", () -> Optional.of("there")));
    }

    @Test
    void aGuardNamesTheConditionAndEveryThread() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Thread virtual = Thread.ofVirtual().name("a virtual thread").start(() -> waitFor(end));
        Thread platform = Thread.ofPlatform().name("a platform thread").start(() -> waitFor(end));

        AssertionError fired =
                assertThrows(AssertionError.class, () -> Await.until(Duration.ZERO, "rain in June", () -> false));

        assertEquals("not within 0 s: rain in June", fired.getMessage());
        String dump = fired.getSuppressed()[0].getMessage();
        assertTrue(dump.contains("a virtual thread") && dump.contains("a platform thread"), dump);
        assertTrue(dump.contains("AwaitTest.waitFor"), dump);
        end.countDown();
        Await.ended("the virtual thread ends", virtual);
        Await.ended("the platform thread ends", platform);
    }

    @Test
    void failuresOfStepsAreThrownAsTheyAre() {
        IOException failure = new IOException("as it is");
        assertSame(
                failure,
                assertThrows(
                        IOException.class,
                        () -> Await.within("steps that fail", () -> {
                            throw failure;
                        })));
    }

    private static void waitFor(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
