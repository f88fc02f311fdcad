package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.session.grant.GrantAccount;
import dev.outpost.runtime.session.schedule.EngineScheduler;
import dev.outpost.runtime.session.stats.SessionStats;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the turns of sessions. Kernels take time by the test's clock, so nothing depends on real time. */
class FairTurnsTest extends RuntimeTest {
    static final Op HEAVY = Unary.NEG;
    static final Op TINY = Unary.ABS;
    private static final int QUANTUM_MILLIS = (int) EngineScheduler.QUANTUM.toMillis();

    final CountDownLatch reached = new CountDownLatch(1);
    final CountDownLatch gate = new CountDownLatch(1);
    private int heavyMillis;
    private int tinyMillis;

    @Override
    RuntimeSettings settings() {
        return super.settings().withTurns(1);
    }

    @AfterEach
    void openTheGate() {
        gate.countDown();
    }

    @Test
    void aSessionWithLittleToDoIsNotHeldUpByOneThatNeverEnds() throws InterruptedException {
        costs(10, 1);
        holdUpHeavy(50);
        var heavy = client(HEAVY, 500);
        await(reached);
        var tiny = client(TINY, 1);
        openTheGateOnceContended();
        tiny.progress(1);
        heavy.progress(1);
        int position = engine.ran().indexOf(TINY);
        assertTrue(position <= 51, "its turn came after " + position + " instructions");
    }

    @Test
    void theEnginesTimeIsSharedEvenly() throws InterruptedException {
        costs(10, 3);
        holdUpHeavy(1);
        var heavy = client(HEAVY, 300);
        await(reached);
        var tiny = client(TINY, 1000);
        openTheGateOnceContended();
        heavy.progress(1);
        tiny.progress(1);
        assertSharedEvenly(engine.ran());
    }

    @Test
    void manySmallSegmentsGetAsMuchAsOneLarge() throws InterruptedException {
        costs(10, 3);
        holdUpHeavy(1);
        var tiny = client(TINY, 1);
        tiny.run(new SegmentBuilder().add(TINY, 3, 2).drop(2));
        tiny.progress(2);
        var heavy = client(HEAVY, 300);
        await(reached);
        for (int id = 4; id <= 902; id++) {
            tiny.run(new SegmentBuilder().add(TINY, id, id - 1).drop(id - 1));
        }
        openTheGateOnceContended();
        tiny.progress(901);
        heavy.progress(1);
        assertSharedEvenly(engine.ran());
    }

    @Test
    void havingBeenIdleEarnsNothing() throws InterruptedException {
        costs(10, 10);
        var late = WireClient.connected(host);
        var heavy = client(HEAVY, 1000);
        heavy.progress(1);
        int before = engine.ran().size();
        holdUpHeavy(1);
        heavy.run(chain(HEAVY, 300, 2000));
        await(reached);
        late.run(chain(TINY, 300, 1));
        openTheGateOnceContended();
        late.progress(1);
        heavy.progress(2);
        assertSharedEvenly(engine.ran().subList(before, engine.ran().size()));
    }

    @Test
    void waitForAnUploadHoldsNoTurn() throws InterruptedException {
        costs(1, 1);
        var waiting = WireClient.connected(host);
        waiting.run(chain(HEAVY, 1, 1).upload(10, 1, DType.FLOAT32, 1).neg(11, 10));
        awaitThat(() -> engine.ran().size() == 1);
        var other = client(TINY, 100);
        other.progress(1);
        waiting.bulk(TransfersTest.chunk(1, SegmentBuilder.bytes(3), 0, 4));
        assertArrayEquals(SegmentBuilder.bytes(-3), waiting.fetch(1, 11).bytes());
    }

    @Test
    void planningHoldsNoTurn() throws InterruptedException {
        engine.whileCompiling(HEAVY, () -> await(gate));
        var makes = WireClient.connected(host);
        makes.run(new SegmentBuilder().full(1, 1, 1));
        makes.run(new SegmentBuilder().neg(2, 1));
        var finds = WireClient.connected(host);
        finds.run(new SegmentBuilder().full(1, 1, 1));
        finds.run(new SegmentBuilder().neg(2, 1));
        var other = client(TINY, 1);
        other.progress(1);
        gate.countDown();
        makes.progress(2);
        finds.progress(2);
    }

    @Test
    void sessionThatEndsWhileWaitingLosesNoTurnOfOthers() throws InterruptedException {
        costs(10, 10);
        holdUpHeavy(1);
        var heavy = client(HEAVY, 10);
        await(reached);
        var ends = client(TINY, 1);
        awaitThat(runtime.scheduler()::isContended);
        ends.raw(new byte[0]);
        ends.end();
        awaitThat(() -> !runtime.scheduler().isContended());
        var next = client(TINY, 1);
        awaitThat(runtime.scheduler()::isContended);
        gate.countDown();
        next.progress(1);
        heavy.progress(1);
    }

    @Test
    void waitingForOthersIsCounted() throws InterruptedException {
        costs(10, 1);
        holdUpHeavy(1);
        var heavy = client(HEAVY, 1);
        await(reached);
        var tiny = client(TINY, 1);
        awaitThat(runtime.scheduler()::isContended);
        pass(Duration.ofMillis(7));
        gate.countDown();
        heavy.progress(1);
        tiny.progress(1);
        List<SessionStats> sessions = host.sessions();
        assertEquals(0, sessions.getFirst().work().turnWaitNanos());
        assertEquals(Duration.ofMillis(17).toNanos(), sessions.get(1).work().turnWaitNanos());
    }

    @Test
    void aGrantOfThreeTimesTheWeightGetsThreeTimesTheTime() throws InterruptedException {
        costs(5, 5);
        holdUpHeavy(1);
        WireClient heavy = client(bind("ab", 300), HEAVY, 600);
        await(reached);
        WireClient tiny = client(bind("cd", 100), TINY, 600);
        openTheGateOnceContended();
        heavy.progress(1);
        tiny.progress(1);
        assertAbout(3, ratio(engine.ran()));
    }

    @Test
    void twoSessionsOfOneGrantGetTogetherWhatOneOfAnotherGets() throws InterruptedException {
        costs(5, 5);
        holdUpHeavy(1);
        GrantAccount two = bind("ab", 100);
        WireClient first = client(two, HEAVY, 300);
        await(reached);
        WireClient second = client(two, HEAVY, 300);
        WireClient alone = client(bind("cd", 100), TINY, 300);
        awaitThat(() -> runtime.scheduler().waiting() == 2);
        gate.countDown();
        first.progress(1);
        second.progress(1);
        alone.progress(1);
        assertAbout(1, ratio(engine.ran()));
    }

    private GrantAccount bind(String digits, int weight) {
        String hash = digits.repeat(32);
        host.grantBook().bind(hash, GrantTerms.ALL.withWeight(weight));
        return host.grantBook().find(HexFormat.of().parseHex(hash)).orElseThrow();
    }

    private WireClient client(GrantAccount grant, Op op, int times) throws InterruptedException {
        WireClient client = WireClient.connected(host, grant);
        client.run(chain(op, times, 1));
        return client;
    }

    /** The number of heavy ops per tiny op, until one session had finished. */
    private static double ratio(List<Op> ran) {
        List<Op> both = ran.subList(0, Math.min(ran.lastIndexOf(HEAVY), ran.lastIndexOf(TINY)));
        double heavy = both.stream().filter(HEAVY::equals).count();
        double tiny = both.stream().filter(TINY::equals).count();
        return heavy / tiny;
    }

    private static void assertAbout(double expected, double actual) {
        assertTrue(actual > 0.8 * expected && actual < 1.25 * expected, () -> "not " + expected + ": " + actual);
    }

    /** Checks that until one session has finished, the engine times of the two never differ by more than two turns. */
    private void assertSharedEvenly(List<Op> ran) {
        int last = Math.min(ran.lastIndexOf(HEAVY), ran.lastIndexOf(TINY));
        long difference = 0;
        for (Op op : ran.subList(0, last)) {
            difference += op == HEAVY ? heavyMillis : -tinyMillis;
            assertTrue(
                    Math.abs(difference) <= 2 * QUANTUM_MILLIS + heavyMillis, "they differ by " + difference + " ms");
        }
    }

    void costs(int heavy, int tiny) {
        heavyMillis = heavy;
        tinyMillis = tiny;
        engine.cost(HEAVY, Duration.ofMillis(heavy));
        engine.cost(TINY, Duration.ofMillis(tiny));
    }

    /** Makes the heavy op's kernel of that number, counted from now, wait at the gate. */
    void holdUpHeavy(int number) {
        AtomicInteger calls = new AtomicInteger();
        engine.during(HEAVY, () -> {
            if (calls.incrementAndGet() == number) {
                reached.countDown();
                await(gate);
            }
        });
    }

    private void openTheGateOnceContended() {
        awaitThat(runtime.scheduler()::isContended);
        gate.countDown();
    }

    WireClient client(Op op, int times) throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(chain(op, times, 1));
        return client;
    }

    /** A chain of the op, the given number of times. */
    private static SegmentBuilder chain(Op op, int times, long firstId) {
        SegmentBuilder segments = new SegmentBuilder().full(firstId, 1, 1);
        for (long id = firstId + 1; id <= firstId + times; id++) {
            segments.add(op, id, id - 1).drop(id - 1);
        }
        return segments;
    }

    static void await(CountDownLatch latch) {
        try {
            Await.opened("the gate is open", latch);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    static void awaitThat(BooleanSupplier condition) {
        Await.until("the turns are so", condition::getAsBoolean);
    }
}
