package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.tape.Segment;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.runtime.plan.PlanCache;
import dev.outpost.runtime.plan.Planner;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Runs take the memory that plans state, and results are where the plan puts them. */
class MemoryPlanTest {
    private static final int ELEMENTS = 1000;

    private final Meter engine = new Meter();
    private final RuntimeHost host = new RuntimeHost(engine, RuntimeSettings.withQuota(1 << 20));

    /** Measures the memory of all values whenever one is added, and records the created buffers. */
    private final class Meter extends EngineOnTop {
        private final List<EngineBuffer> made = new ArrayList<>();
        private long peak;

        @Override
        public EngineBuffer allocate(DType dtype, long elements) {
            EngineBuffer buffer = super.allocate(dtype, elements);
            peak = Math.max(peak, host.liveBytes());
            if (elements == ELEMENTS) {
                made.add(buffer);
            }
            return buffer;
        }
    }

    @AfterEach
    void close() {
        host.close();
        assertEquals(0, host.liveBytes());
    }

    @Test
    void aRunTakesWhatWasPlanned() throws InterruptedException {
        for (long seed = 1; seed <= 40; seed++) {
            SegmentBuilder program = FloatProgram.of(seed, 40).record(DType.FLOAT32, 2);
            Graph graph = Segment.read(program.toByteArray()).graph();
            PlanCache plans = new PlanCache(Planner.of(engine), 1, () -> {});
            long planned = plans.plan(graph, () -> {}).plan().memory().peakBytes();
            engine.peak = 0;
            var client = WireClient.connected(host);
            client.run(program);
            client.progress(1);
            client.goodbye();
            assertEquals(planned, engine.peak, "seed " + seed);
        }
    }

    /** 100 steps of {@code p = p + g} over segments, each of which frees the previous parameter. */
    @Test
    void aLoopOfUpdatesLivesInOneBuffer() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, ELEMENTS).full(2, 2, ELEMENTS));
        for (long step = 3; step < 103; step++) {
            client.run(new SegmentBuilder()
                    .add(Binary.ADD, step, step == 3 ? 1 : step - 1, 2)
                    .drop(step == 3 ? 1 : step - 1));
        }
        byte[] last = client.fetch(1, 102).bytes();
        assertArrayEquals(SegmentBuilder.bytes(201), Arrays.copyOf(last, 4));
        assertEquals(2, engine.made.size());
    }

    /** A holder of the value under another id sees the earlier elements. */
    @Test
    void sharedValueIsNotOverwritten() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 5, ELEMENTS).view(2, 1, new long[] {1}, new long[] {1}, 3));
        client.run(new SegmentBuilder().neg(3, 1).drop(1));
        assertArrayEquals(SegmentBuilder.bytes(5), client.fetch(1, 2).bytes());
        assertArrayEquals(
                SegmentBuilder.bytes(-5), Arrays.copyOf(client.fetch(2, 3).bytes(), 4));
        assertEquals(2, engine.made.size());
    }

    /** One computation with two results: both exist, and neither is overwritten while the other exists. */
    @Test
    void equalResultsShareTheirMemory() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 5, ELEMENTS).neg(2, 1).neg(3, 1).drop(1));
        client.progress(1);
        assertEquals(4 * ELEMENTS, host.liveBytes());
        client.run(new SegmentBuilder().add(Unary.EXP, 4, 2).drop(2));
        assertArrayEquals(
                SegmentBuilder.bytes(-5), Arrays.copyOf(client.fetch(1, 3).bytes(), 4));
        assertArrayEquals(
                SegmentBuilder.bytes((float) Math.exp(-5)),
                Arrays.copyOf(client.fetch(2, 4).bytes(), 4));
    }

    /** Segments that fit are still computed. */
    @Test
    void planThatCannotFitNamesItsPeak() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder()
                .full(1, 1, 200_000)
                .full(2, 1, 100_000)
                .full(3, 7, 1)
                .neg(4, 2));
        var fault = client.fetchFailing(1, 2).getFault();
        assertEquals(FaultKind.RESOURCES, FaultMessages.kind(fault));
        String expected =
                "full: out of memory, requested 400000 bytes, free 248576 of 1048576 bytes, and the segment takes "
                        + "1600004 at its peak: ";
        assertTrue(fault.getMessage().startsWith(expected), fault.getMessage());
        assertArrayEquals(SegmentBuilder.bytes(7), client.fetch(2, 3).bytes());
        client.fetchFailing(3, 4);
    }

    /** Numbers that were equal in the first run differ in the second: the first plan is not used. */
    @Test
    void aPlanIsNotTakenForDataItWasNotMadeFor() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 1));
        client.run(new SegmentBuilder().plusNumber(2, 1, 3).plusNumber(3, 1, 3));
        client.run(new SegmentBuilder().plusNumber(4, 1, 3).plusNumber(5, 1, 4));
        client.run(new SegmentBuilder().plusNumber(6, 1, 8).plusNumber(7, 1, 8));
        float[] expected = {4, 4, 4, 5, 9, 9};
        for (int id = 2; id <= 7; id++) {
            assertArrayEquals(
                    SegmentBuilder.bytes(expected[id - 2]), client.fetch(id, id).bytes(), "value " + id);
        }
        assertEquals(3, host.stats().work().plansMade());
    }
}
