package dev.outpost.serving.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.rest.deployment.AdmittedKey;
import dev.outpost.serving.engine.UnavailableException;
import dev.outpost.support.tests.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many callers use a key at the same time that the gateway does not know yet. */
class ManyCallersTest {
    private static final String KEY = "op_0123456789_" + "x".repeat(43);
    private static final int CALLERS = 50;

    private final CountDownLatch answer = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> outcomes = new ConcurrentLinkedQueue<>();
    private final CallerKeys keys = new CallerKeys(true, System::nanoTime, secret -> ask());
    private boolean isAway;

    private Optional<AdmittedKey> ask() {
        asked.incrementAndGet();
        try {
            answer.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (isAway) {
            throw new UnavailableException("the backend is away", Duration.ofSeconds(5));
        }
        return Optional.of(new AdmittedKey("a", null, "default", null, null));
    }

    private void call() {
        try {
            outcomes.add(keys.find(KEY, "192.0.2.1").orElseThrow().id());
        } catch (UnavailableException ignored) {
            outcomes.add("away");
        }
    }

    private void callAll() throws InterruptedException {
        List<Thread> callers = new ArrayList<>();
        for (int caller = 0; caller < CALLERS; caller++) {
            callers.add(Thread.ofPlatform().start(this::call));
        }
        Await.until(
                "one asks and the others wait",
                () -> asked.get() >= 1
                        && callers.stream()
                                .allMatch(caller -> caller.getState() == Thread.State.BLOCKED
                                        || caller.getState() == Thread.State.WAITING));
        answer.countDown();
        for (Thread caller : callers) {
            Await.ended("the caller has its answer", caller);
        }
    }

    @Test
    void oneOfManyCallersAsksForAll() throws InterruptedException {
        callAll();
        assertEquals(CALLERS, outcomes.stream().filter("a"::equals).count());
        assertEquals(1, asked.get());
    }

    @Test
    void callersThatWaitedForAnAnswerThatDidNotComeDoNotAsk() throws InterruptedException {
        isAway = true;
        callAll();
        assertEquals(CALLERS, outcomes.stream().filter("away"::equals).count());
        assertEquals(1, asked.get());
    }
}
