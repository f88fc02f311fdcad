package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.tape.Segment;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PlanCacheTest {
    private final AtomicInteger evictions = new AtomicInteger();
    private final PlanCache plans = new PlanCache(Planner.of(new ReferenceEngine()), 2, evictions::incrementAndGet);

    @Test
    void dataAndNamesAreNoPartOfTheKey() throws InterruptedException {
        var first = plan(full(1, 1.0, 3));
        var second = plan(full(2, 2.0, 3));
        assertSame(first.plan(), second.plan());
        assertFalse(second.made());
        assertEquals(1, plans.plansMade());
    }

    @Test
    void shapesAndInputTypesArePartOfTheKey() throws InterruptedException {
        assertNotSame(plan(full(1, 1.0, 3)).plan(), plan(full(1, 1.0, 4)).plan());
        assertNotSame(plan(neg(DType.FLOAT32)).plan(), plan(neg(DType.FLOAT64)).plan());
    }

    @Test
    void theLongestUnusedPlanGoesFirst() throws InterruptedException {
        plan(full(1, 1.0, 1));
        plan(full(1, 1.0, 2));
        plan(full(1, 1.0, 1));
        plan(full(1, 1.0, 3));
        assertEquals(2, plans.size());
        assertFalse(plan(full(1, 1.0, 1)).made());
        assertEquals(3, plans.plansMade());
        assertEquals(1, evictions.get());
    }

    @Test
    void hugePlansMakeRoomBeforeThereAreMany() throws InterruptedException {
        PlanCache many = new PlanCache(Planner.of(new ReferenceEngine()), 1000, 80, evictions::incrementAndGet);
        for (int size = 1; size <= 9; size++) {
            SegmentWriter writer = new SegmentWriter();
            for (int instruction = 0; instruction < 10; instruction++) {
                Fill fill = new Fill(Shape.of(size), Scalar.of(DType.FLOAT32, 1));
                writer.begin(fill, 0);
                writer.finish(fill, instruction + 1, 1);
            }
            many.plan(graph(writer), () -> {});
        }
        assertEquals(8, many.size());
        assertEquals(1, evictions.get());
    }

    @Test
    void cachedPlanIsReturnedWithoutWaiting() throws InterruptedException {
        AtomicInteger waits = new AtomicInteger();
        plans.plan(full(1, 1.0, 3), waits::incrementAndGet);
        assertEquals(1, waits.get());
        plans.plan(full(1, 1.0, 3), waits::incrementAndGet);
        assertEquals(1, waits.get());
    }

    /** Inputs 0 (dying, unused), 1 (dying), 2 (survives); results 3 = -1, 4 = 3 + 2 kept, 5 = -4 unused. */
    @Test
    void eachValueDiesAfterItsLastUse() throws InterruptedException {
        SegmentWriter writer = new SegmentWriter();
        for (int id = 1; id <= 3; id++) {
            writer.addInput(id);
        }
        writer.dropInput(0);
        writer.dropInput(1);
        writer.begin(Unary.NEG, 1);
        writer.input(1);
        int negated = writer.finish(Unary.NEG, 4, 1);
        writer.begin(Binary.ADD, 2);
        writer.result(negated);
        writer.input(2);
        int sum = writer.finish(Binary.ADD, 5, 1);
        writer.begin(Unary.NEG, 1);
        writer.result(sum);
        writer.drop(writer.finish(Unary.NEG, 6, 1));
        writer.drop(negated);

        TensorType type = new TensorType(DType.FLOAT32, Shape.of(2));
        Plan plan = Planner.plain(new ReferenceEngine()).plan(graph(writer, type, type, type), true);
        assertArrayEquals(new int[] {0}, plan.dyingAtStart());
        assertArrayEquals(new int[] {1}, plan.dyingAfter(0));
        assertArrayEquals(new int[] {3}, plan.dyingAfter(1));
        assertArrayEquals(new int[] {5}, plan.dyingAfter(2));
    }

    private static Graph full(long id, double value, long size) {
        SegmentWriter writer = new SegmentWriter();
        Fill fill = new Fill(Shape.of(size), Scalar.of(DType.FLOAT32, value));
        writer.begin(fill, 0);
        writer.finish(fill, id, 1);
        return graph(writer);
    }

    private static Graph neg(DType dtype) {
        SegmentWriter writer = new SegmentWriter();
        writer.addInput(1);
        writer.begin(Unary.NEG, 1);
        writer.input(0);
        writer.finish(Unary.NEG, 2, 1);
        return graph(writer, new TensorType(dtype, Shape.of(2)));
    }

    private PlanCache.Answer plan(Graph graph) throws InterruptedException {
        return plans.plan(graph, () -> {});
    }

    private static Graph graph(SegmentWriter writer, TensorType... inputs) {
        return Segment.read(writer.toByteArray()).graph(inputs);
    }
}
