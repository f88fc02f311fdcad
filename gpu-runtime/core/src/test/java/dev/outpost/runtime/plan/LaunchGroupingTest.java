package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a plan is cut. A unit is written {@code first-last}. */
class LaunchGroupingTest {
    private static final TensorType FLOATS = new TensorType(DType.FLOAT32, Shape.of(64));
    private static final TensorType INDEX = new TensorType(DType.INT64, Shape.of(64));

    private final Sketch sketch = new Sketch();
    private final int index = sketch.input(INDEX);
    private final int parameter = sketch.dyingInput(FLOATS);
    private final int other = sketch.input(FLOATS);

    private List<String> units() {
        return found().stream()
                .map(unit -> unit.first() + "-" + (unit.end() - 1))
                .toList();
    }

    private List<LaunchGroup> found() {
        RewriteContext draft = RewriteContext.of(sketch.graph(), List.of(), true);
        Plan plan = Planner.with(new ReferenceEngine(), List.of(), false, false).plan(sketch.graph(), true);
        AliasSets storages = AliasSets.of(draft, Liveness.of(draft, plan.tasks()));
        Donations donations = Donations.of(draft, plan.tasks(), storages);
        return LaunchGrouping.of(
                draft, plan.tasks(), storages, donations, instruction -> !(instruction.op() instanceof Fill));
    }

    private int gathered(int from) {
        return sketch.op(new Gather(0), from, index);
    }

    @Test
    void appendingLaunchesAreOneUnit() {
        int first = sketch.op(Unary.NEG, other);
        sketch.op(Binary.ADD, first, other);
        assertEquals(List.of("0-1"), units());
    }

    @Test
    void launchThatCannotUniteSeparatesTwoUnits() {
        sketch.op(Unary.NEG, other);
        sketch.op(Unary.EXP, other);
        sketch.op(new Fill(Shape.of(3), Scalar.of(DType.FLOAT32, 1.0)));
        sketch.op(Unary.NEG, other);
        sketch.op(Unary.EXP, other);
        assertEquals(List.of("0-1", "3-4"), units());
    }

    @Test
    void oneKernelIsNoUnit() {
        sketch.op(Unary.NEG, other);
        assertEquals(List.of(), units());
    }

    /** When the index is refused, the parameter must be there still. */
    @Test
    void overwriteAndFallibleLaunchAreInDifferentUnits() {
        int another = sketch.input(INDEX);
        int first = gathered(other);
        int second = sketch.op(Binary.MUL, first, other);
        int updated = sketch.op(Binary.SUB, parameter, second);
        sketch.op(Unary.EXP, updated);
        assertEquals(List.of("0-1", "2-3"), units());
        int third = sketch.op(new Gather(0), updated, another);
        sketch.op(Unary.NEG, third);
        assertEquals(List.of("0-1", "2-3", "4-5"), units());
    }

    /** As steps of a language model do, which write each layer's keys and values where one index says. */
    @Test
    void whatAnIndexIsRefusedForIsFoundOnce() {
        int second = sketch.dyingInput(FLOATS);
        int third = sketch.dyingInput(FLOATS);
        IndexWrite write = new IndexWrite(Scatter.Fn.SET, 0);
        int written = sketch.op(write, parameter, index, other);
        sketch.op(Unary.NEG, written);
        int next = sketch.op(write, second, index, other);
        sketch.op(Unary.EXP, next);
        sketch.op(write, third, index, other);
        List<LaunchGroup> units = found();
        assertEquals(List.of("1-4"), units());
        assertFalse(units.getFirst().mayRefuse());
        assertTrue(units.getFirst().reliesOnEarlierTasks());
        assertTrue(units.getFirst().hasKnownIndices(2));
        assertFalse(units.getFirst().hasKnownIndices(1));
    }

    @Test
    void anotherBoundIsLookedAtAgain() {
        int longer = sketch.dyingInput(new TensorType(DType.FLOAT32, Shape.of(65)));
        IndexWrite write = new IndexWrite(Scatter.Fn.SET, 0);
        sketch.op(write, parameter, index, other);
        sketch.op(write, longer, index, other);
        assertEquals(List.of(), units());
    }

    /** A value that the unit made itself is made again. */
    @Test
    void overwriteOfTheUnitsOwnValueDoesNotCutIt() {
        int first = gathered(other);
        int second = sketch.op(Unary.NEG, first);
        int third = sketch.op(Unary.EXP, second);
        sketch.drop(first, second);
        sketch.op(Unary.NEG, third);
        assertEquals(List.of("0-3"), units());
    }

    @Test
    void numbersInInstructionsAreCounted() {
        int first = sketch.op(Binary.MUL, other, Scalar.of(DType.FLOAT32, 0.5));
        sketch.op(Binary.ADD, first, Scalar.of(DType.FLOAT32, 0.5));
        assertEquals(2, found().getFirst().numbers());
    }
}
