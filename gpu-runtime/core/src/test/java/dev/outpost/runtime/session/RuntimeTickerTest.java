package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.runtime.session.context.InternalErrorLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RuntimeTickerTest {
    private final AtomicLong clock = new AtomicLong();
    private final InternalErrorLog internalErrorLog = new InternalErrorLog();
    private final List<Long> standstills = new ArrayList<>();
    private final AtomicInteger exhaustions = new AtomicInteger();
    private final AtomicInteger rounds = new AtomicInteger();

    @Test
    void aTaskThatFailsGoesOnAndKeepsNoOtherFromRunning() {
        RuntimeTicker ticker = ticker(() -> {
            throw new IllegalStateException("a defect");
        });
        ticker.round();
        ticker.round();
        ticker.round();
        assertEquals(3, rounds.get());
        assertEquals(3, internalErrorLog.count());
    }

    @Test
    void aHeapThatIsFullForMomentsIsNoEnd() {
        AtomicInteger calls = new AtomicInteger();
        RuntimeTicker ticker = ticker(() -> {
            if (calls.incrementAndGet() % 3 != 0) {
                throw new OutOfMemoryError("for a moment");
            }
        });
        for (int second = 0; second < 60; second++) {
            pass(Duration.ofSeconds(1));
            ticker.round();
        }
        assertEquals(0, exhaustions.get());
        assertEquals(60, rounds.get());
    }

    @Test
    void aHeapThatIsFullForGoodIsToldOnce() {
        RuntimeTicker ticker = ticker(() -> {
            throw new OutOfMemoryError("for good");
        });
        for (int second = 0; second < 5; second++) {
            pass(Duration.ofSeconds(1));
            ticker.round();
        }
        assertEquals(0, exhaustions.get());
        for (int second = 0; second < 5; second++) {
            pass(Duration.ofSeconds(1));
            ticker.round();
        }
        assertEquals(1, exhaustions.get());
    }

    @Test
    void lateTaskIsToldHowLateItIs() {
        RuntimeTicker ticker = ticker(() -> {});
        pass(Duration.ofSeconds(2));
        ticker.round();
        pass(Duration.ofSeconds(34));
        ticker.round();
        assertEquals(List.of(Duration.ofSeconds(34).toNanos()), standstills);
    }

    private RuntimeTicker ticker(Runnable task) {
        return new RuntimeTicker(
                List.of(new RuntimeTicker.Task("task", task), new RuntimeTicker.Task("next", rounds::incrementAndGet)),
                internalErrorLog,
                clock::get,
                Duration.ofSeconds(2),
                standstills::add,
                exhaustions::incrementAndGet);
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }
}
