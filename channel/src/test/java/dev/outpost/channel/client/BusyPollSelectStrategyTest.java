package dev.outpost.channel.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.support.tests.Await;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SelectStrategy;
import io.netty.channel.SelectStrategyFactory;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("quick")
class BusyPollSelectStrategyTest {
    private static final int ROUNDS = 100;

    private static final boolean TASKS = true;

    private final AtomicLong now = new AtomicLong();
    private final SpinWaiter spinWaiter = new SpinWaiter(2, now::get);
    private final BusyPollSelectStrategy select = new BusyPollSelectStrategy(spinWaiter, now::get);

    /** Returns the strategy's answer to the loop if {@code ready} channels are ready. */
    private int strategy(int ready, boolean hasTasks) {
        try {
            return select.calculateStrategy(() -> ready, hasTasks);
        } catch (Exception impossible) {
            throw new AssertionError(impossible);
        }
    }

    private void duringAVigil(Runnable test) {
        assertTrue(spinWaiter.keep(
                () -> {
                    test.run();
                    return true;
                },
                Long.MAX_VALUE));
    }

    @Test
    void withoutAVigilALoopSleepsAsEver() {
        assertEquals(SelectStrategy.SELECT, strategy(3, !TASKS));
        assertEquals(3, strategy(3, TASKS));
        assertEquals(0, strategy(0, TASKS));
    }

    @Test
    void duringOneItLooksAgain() {
        duringAVigil(() -> {
            assertEquals(SelectStrategy.CONTINUE, strategy(0, !TASKS));
            assertEquals(SelectStrategy.CONTINUE, strategy(0, !TASKS));
            assertEquals(2, strategy(2, !TASKS));
            assertEquals(0, strategy(0, TASKS));
        });
        now.addAndGet(SpinWaiter.LINGER_NANOS);
        assertEquals(SelectStrategy.SELECT, strategy(0, !TASKS));
    }

    @Test
    void aLoopThatFindsNothingSleepsUntilItIsWoken() {
        duringAVigil(() -> {
            assertEquals(SelectStrategy.CONTINUE, strategy(0, !TASKS));
            now.addAndGet(BusyPollSelectStrategy.TIMEOUT_NANOS / 2);
            assertEquals(1, strategy(1, !TASKS));
            assertEquals(SelectStrategy.CONTINUE, strategy(0, !TASKS));
            now.addAndGet(BusyPollSelectStrategy.TIMEOUT_NANOS - 1);
            assertEquals(SelectStrategy.CONTINUE, strategy(0, !TASKS));
            now.addAndGet(1);
            assertEquals(SelectStrategy.SELECT, strategy(0, !TASKS));
            assertEquals(SelectStrategy.CONTINUE, strategy(0, !TASKS));
        });
    }

    /**
     * A real loop whose clock stands still, so that it never sleeps. It runs its tasks while it polls, and Netty does not take its selector
     * for a broken one.
     */
    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLoopThatStaysAwakeDoesItsWork() throws Exception {
        SpinWaiter real = new SpinWaiter(2, System::nanoTime);
        AtomicInteger looks = new AtomicInteger();
        SelectStrategyFactory counting = () -> {
            BusyPollSelectStrategy wakeful = new BusyPollSelectStrategy(real, () -> 0);
            return (ready, hasTasks) -> {
                looks.incrementAndGet();
                return wakeful.calculateStrategy(ready, hasTasks);
            };
        };
        EventLoopGroup group = new NioEventLoopGroup(
                1, new DefaultThreadFactory("wakeful", true), SelectorProvider.provider(), counting);
        try {
            EventLoop loop = group.next();
            loop.submit(() -> {}).sync();
            AtomicInteger given = new AtomicInteger();
            AtomicInteger done = new AtomicInteger();
            assertTrue(real.keep(
                    () -> {
                        int before = looks.get();
                        loop.execute(done::incrementAndGet);
                        given.incrementAndGet();
                        while (done.get() < given.get() || looks.get() < before + 3) {
                            Thread.onSpinWait();
                        }
                        return given.get() == ROUNDS;
                    },
                    Await.GUARD.toNanos()));
            assertEquals(ROUNDS, done.get());
            assertTrue(looks.get() > 2 * ROUNDS, looks + " looks");
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }
}
