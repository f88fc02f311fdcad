package dev.outpost.client.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.support.tests.Await;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class SessionTickerTest {
    private static final long TEN_SECONDS = TimeUnit.SECONDS.toNanos(10);

    private long now;
    private int ticks;
    private boolean isBusy;

    /** Returns the number of ticks in ten seconds. */
    private int ticksOfTenSeconds(SessionTicker ticker) {
        long end = now + TEN_SECONDS;
        int before = ticks;
        ticker.run(() -> now >= end);
        return ticks - before;
    }

    private SessionTicker ticker() {
        return new SessionTicker(this::tick, nanos -> now += nanos);
    }

    private boolean tick() {
        ticks++;
        return isBusy;
    }

    @Test
    void aSessionThatRestsWakesUpFourTimesASecond() {
        SessionTicker ticker = ticker();
        ticksOfTenSeconds(ticker);
        assertEquals(40, ticksOfTenSeconds(ticker), 25);
    }

    @Test
    void activeSessionTicksEveryFewMilliseconds() {
        isBusy = true;
        assertEquals(2000, ticksOfTenSeconds(ticker()));
    }

    @Test
    void aStirIsFollowedByATenthOfASecondOfTicks() {
        SessionTicker ticker = ticker();
        ticksOfTenSeconds(ticker);
        ticker.stir();
        int ticksBefore = ticks;
        long end = now + TimeUnit.MILLISECONDS.toNanos(100);
        ticker.run(() -> now >= end);
        assertEquals(20, ticks - ticksBefore, 1);
    }

    @Test
    void aShortLeaseIsLookedAfterOftenEnough() {
        SessionTicker ticker = ticker();
        ticker.atLeastEvery(TimeUnit.MILLISECONDS.toNanos(50));
        ticksOfTenSeconds(ticker);
        assertEquals(200, ticksOfTenSeconds(ticker), 25);
    }

    /** Without activity the ticker sleeps for an hour. */
    @Test
    void activityWakesTheTicker() throws InterruptedException {
        CountDownLatch rests = new CountDownLatch(1);
        CountDownLatch woken = new CountDownLatch(1);
        AtomicBoolean isStirred = new AtomicBoolean();
        SessionTicker ticker = new SessionTicker(
                () -> {
                    if (isStirred.get()) {
                        woken.countDown();
                    }
                    return false;
                },
                nanos -> {
                    if (nanos == SessionTicker.RESTING_NANOS) {
                        rests.countDown();
                        LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1));
                    }
                });
        Thread thread = Thread.ofVirtual().start(() -> ticker.run(() -> woken.getCount() == 0));
        rests.await();
        isStirred.set(true);
        ticker.stir();
        Await.opened("the ticker is woken", woken);
        thread.join();
    }

    @Test
    void anInterruptEndsIt() throws InterruptedException {
        SessionTicker ticker = new SessionTicker(() -> false);
        Thread thread = Thread.ofVirtual().start(() -> ticker.run(() -> false));
        thread.interrupt();
        thread.join();
    }
}
