package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.plan.Planner;
import dev.outpost.runtime.session.context.Limits;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.support.tests.Await;
import dev.outpost.types.FaultKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tasks that run as a unit have the same effects as tasks that run one by one. */
class LaunchGroupRunTest {
    private static final int QUOTA = 1 << 20;
    private static final int INSTRUCTIONS = 120;
    private static final int TIMES = 3;

    private final GroupingEngine engine = new GroupingEngine();
    private final RuntimeHost host = host(Planner.of(engine), RuntimeSettings.withQuota(QUOTA));

    private RuntimeHost host(Planner planner, RuntimeSettings settings) {
        return new RuntimeHost(RuntimeContext.of(engine, planner, settings, System::nanoTime));
    }

    @AfterEach
    void nothingIsLeft() throws InterruptedException {
        host.close();
        assertTrue(host.awaitIdle(Await.GUARD));
        assertEquals(0, host.liveBytes());
        assertEquals(0, host.stats().defects());
    }

    /** Segments with views, overwritten dying values, failing indices and divisions, which use each other's values. */
    @Test
    void randomPrograms() throws InterruptedException {
        compare(120);
    }

    @Test
    @Tag("full")
    void manyRandomPrograms() throws InterruptedException {
        compare(1000);
    }

    private void compare(int programs) throws InterruptedException {
        try (RuntimeHost plain = host(Planner.plain(engine), RuntimeSettings.withQuota(QUOTA))) {
            for (long seed = 1; seed <= programs; seed++) {
                RandomSegments program = RandomSegments.of(seed, INSTRUCTIONS);
                Map<Long, byte[]> expected = RecordedProgramRun.values(plain, program);
                for (Map<Long, byte[]> actual : RecordedProgramRun.values(host, program, TIMES)) {
                    String where = " of the program with seed " + seed;
                    expected.forEach((value, bytes) -> assertArrayEquals(
                            ofIndex(bytes), ofIndex(actual.get(value)), () -> "value " + value + where));
                }
            }
        }
        assertTrue(engine.ran.get() > programs && engine.refused.get() > 0, engine.ran + ", " + engine.refused);
    }

    /** A plan may merge two equal indices, and then the second use fails with the fault of the first. */
    private static byte[] ofIndex(byte[] valueOrFault) {
        String text = new String(valueOrFault, StandardCharsets.ISO_8859_1);
        return text.contains(" is out of bounds for dimension ")
                ? text.replaceFirst(" \\(.*", "").getBytes(StandardCharsets.ISO_8859_1)
                : valueOrFault;
    }

    /** {@code p = -relu(p)}: two kernels overwrite the value. */
    private static SegmentBuilder update(long from) {
        return new SegmentBuilder()
                .add(Unary.RELU, from + 1, from)
                .neg(from + 2, from + 1)
                .neg(from + 3, from + 1)
                .drop(from)
                .drop(from + 1);
    }

    @Test
    void aLoopRunsAsAGroupFromItsSecondStepOn() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 5, 1000));
        for (long step = 1; step < 30; step += 3) {
            client.run(update(step));
            client.free(step + 2);
        }
        client.progress(11);
        assertEquals(9, engine.ran.get());
        assertArrayEquals(
                SegmentBuilder.bytes(-0f), Arrays.copyOf(client.fetch(1, 31).bytes(), 4));
        client.goodbye();
    }

    @Test
    void groupsOfASessionEndWithIt() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 5, 10));
        client.goodbye();
        assertEquals(1, engine.forgottenOwners.size());
    }

    @Test
    void groupsOfAPlanEndWithIt() throws InterruptedException {
        RuntimeSettings settings = RuntimeSettings.withQuota(QUOTA).withLimits(Limits.DEFAULT.withPlans(1));
        try (RuntimeHost small = host(Planner.of(engine), settings)) {
            var client = WireClient.connected(small);
            client.run(new SegmentBuilder().full(1, 5, 10));
            client.run(update(1));
            client.run(new SegmentBuilder().full(5, 5, 11));
            client.progress(3);
            assertEquals(1, engine.forgottenUnits.size());
            client.goodbye();
        }
    }

    /** The arena does not fit beside the kept values; its values fit if the tasks run one by one. */
    @Test
    void whereThereIsNoRoomForTheArenaTasksRunOneByOne() throws InterruptedException {
        var client = WireClient.connected(host);
        for (int time = 0; time < 2; time++) {
            client.run(new SegmentBuilder()
                    .full(1, 5, 100_000)
                    .add(Unary.EXP, 2, 1)
                    .add(Unary.SIN, 3, 2)
                    .view(4, 3, new long[] {1}, new long[] {1}, 3)
                    .neg(5, 4)
                    .drop(1)
                    .drop(2)
                    .drop(3)
                    .full(6, 7, 170_000)
                    .drop(4));
            assertArrayEquals(
                    SegmentBuilder.bytes((float) -Math.sin((float) Math.exp(5))),
                    client.fetch(time + 1, 5).bytes());
            client.free(5, 6);
        }
        assertEquals(0, engine.ran.get());
        client.goodbye();
    }

    /** The second write relies on the first to check the index; if the first fails, the second must check it itself. */
    @Test
    void anIndexThatIsRefusedIsRefusedByAllThatUseIt() throws InterruptedException {
        var client = WireClient.connected(host);
        IndexWrite write = new IndexWrite(Scatter.Fn.SET, 0);
        for (long time = 0; time < 4; time++) {
            long id = 20 * time;
            boolean isRight = time != 2;
            client.run(new SegmentBuilder()
                    .floats(id + 1, 1, 2)
                    .floats(id + 2, 3, 4)
                    .longs(id + 3, isRight ? 1 : 7)
                    .floats(id + 4, 5));
            client.run(new SegmentBuilder()
                    .add(write, id + 5, id + 1, id + 3, id + 4)
                    .add(write, id + 6, id + 2, id + 3, id + 4)
                    .neg(id + 7, id + 6)
                    .drop(id + 1)
                    .drop(id + 2));
            if (isRight) {
                assertArrayEquals(
                        SegmentBuilder.bytes(-3f, -5f),
                        client.fetch(time + 1, id + 7).bytes());
            } else {
                assertEquals(
                        FaultKind.USER,
                        FaultMessages.kind(client.fetchFailing(time + 1, id + 7).getFault()));
            }
        }
        assertTrue(engine.ran.get() >= 2, engine.ran::toString);
        client.goodbye();
    }

    /** Half of the kernels of a unit have run when one breaks: the results of the unit and its dying operands are lost. */
    @Test
    void brokenGroupLosesItsValuesOnly() throws InterruptedException {
        breaking(client -> {
            client.run(new SegmentBuilder().floats(1, 4, 9).floats(2, 1, 2));
            client.run(new SegmentBuilder().add(Unary.EXP, 3, 1).neg(4, 2).drop(1));
            var failed = client.fetchFailing(1, 3);
            assertEquals(FaultKind.INTERNAL, FaultMessages.kind(failed.getFault()));
            assertEquals(List.of(3L, 4L), failed.getLostList());
            assertArrayEquals(SegmentBuilder.bytes(1, 2), client.fetch(2, 2).bytes());
        });
    }

    /** A unit with a fallible instruction overwrites no older values, so everything can be computed again. */
    @Test
    void aBrokenGroupThatMayRefuseIsRunOneByOne() throws InterruptedException {
        breaking(client -> {
            client.run(new SegmentBuilder().floats(1, 4, 9).longs(2, 1));
            client.run(new SegmentBuilder().neg(3, 1).select(4, 3, 2));
            assertArrayEquals(SegmentBuilder.bytes(-9), client.fetch(1, 4).bytes());
            assertArrayEquals(SegmentBuilder.bytes(-4, -9), client.fetch(2, 3).bytes());
        });
    }

    private interface Conversation {
        void with(WireClient client) throws InterruptedException;
    }

    private static void breaking(Conversation conversation) throws InterruptedException {
        GroupingEngine breaking = new GroupingEngine() {
            @Override
            public boolean run(Object unit, long owner, List<Launch> launches) {
                launches.getFirst().run();
                throw new IllegalStateException("half way");
            }
        };
        try (RuntimeHost broken = new RuntimeHost(RuntimeContext.of(
                breaking, Planner.of(breaking), RuntimeSettings.withQuota(QUOTA), System::nanoTime))) {
            var client = WireClient.connected(broken);
            conversation.with(client);
            client.goodbye();
        }
    }
}
