package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.runtime.session.context.Defects;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TickerTest {
    private final AtomicLong clock = new AtomicLong();
    private final Defects defects = new Defects();
    private final List<Long> standstills = new ArrayList<>();
    private final AtomicInteger exhaustions = new AtomicInteger();
    private final AtomicInteger rounds = new AtomicInteger();

    @Test
    void aTaskThatFailsGoesOnAndKeepsNoOtherFromRunning() {
        Ticker ticker = ticker(() -> {
            throw new IllegalStateException("a defect");
        });
        ticker.round();
        ticker.round();
        ticker.round();
        assertEquals(3, rounds.get());
        assertEquals(3, defects.count());
    }

    @Test
    void aHeapThatIsFullForMomentsIsNoEnd() {
        AtomicInteger calls = new AtomicInteger();
        Ticker ticker = ticker(() -> {
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
        Ticker ticker = ticker(() -> {
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
        Ticker ticker = ticker(() -> {});
        pass(Duration.ofSeconds(2));
        ticker.round();
        pass(Duration.ofSeconds(34));
        ticker.round();
        assertEquals(List.of(Duration.ofSeconds(34).toNanos()), standstills);
    }

    private Ticker ticker(Runnable task) {
        return new Ticker(
                List.of(new Ticker.Task("task", task), new Ticker.Task("next", rounds::incrementAndGet)),
                defects,
                clock::get,
                Duration.ofSeconds(2),
                standstills::add,
                exhaustions::incrementAndGet);
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }
}
