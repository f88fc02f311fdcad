package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.op.WireFormat;
import dev.outpost.runtime.engine.WholeExchange;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import dev.outpost.types.DType;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.Split;
import dev.outpost.types.TensorType;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Tests where a plan is cut into units. A unit is written {@code first-last}. */
class LaunchGroupingTest {
    private static final TensorType FLOATS = new TensorType(DType.FLOAT32, Shape.of(64));
    private static final TensorType INDEX = new TensorType(DType.INT64, Shape.of(64));

    private final Sketch sketch = new Sketch();
    private final int index = sketch.input(INDEX);
    private final int parameter = sketch.dyingInput(FLOATS);
    private final int other = sketch.input(FLOATS);

    private List<String> groups() {
        return text(found(LaunchGrouping::of));
    }

    private static List<String> text(List<LaunchGroup> groups) {
        return groups.stream()
                .map(group -> group.first() + "-" + (group.end() - 1))
                .toList();
    }

    private interface Grouping {
        List<LaunchGroup> of(
                RewriteContext context,
                List<Task> tasks,
                AliasSets aliasSets,
                Donations donations,
                Predicate<Instruction> unites);
    }

    private List<LaunchGroup> found() {
        return found(LaunchGrouping::of);
    }

    private List<LaunchGroup> found(Grouping grouping) {
        RewriteContext context = RewriteContext.of(sketch.graph(), List.of(), true);
        Plan plan = Planner.with(new ReferenceEngine(), List.of(), false, false).plan(sketch.graph(), true);
        AliasSets aliasSets = AliasSets.of(context, Liveness.of(context, plan.tasks()));
        Donations donations = Donations.of(context, plan.tasks(), aliasSets);
        return grouping.of(
                context, plan.tasks(), aliasSets, donations, instruction -> !(instruction.op() instanceof Fill));
    }

    private int gathered(int from) {
        return sketch.op(new Gather(0), from, index);
    }

    @Test
    void appendingLaunchesAreOneGroup() {
        int first = sketch.op(Unary.NEG, other);
        sketch.op(Binary.ADD, first, other);
        assertEquals(List.of("0-1"), groups());
    }

    @Test
    void launchThatCannotUniteSeparatesTwoGroups() {
        sketch.op(Unary.NEG, other);
        sketch.op(Unary.EXP, other);
        sketch.op(new Fill(Shape.of(3), Scalar.of(DType.FLOAT32, 1.0)));
        sketch.op(Unary.NEG, other);
        sketch.op(Unary.EXP, other);
        assertEquals(List.of("0-1", "3-4"), groups());
    }

    @Test
    void oneKernelIsNoGroup() {
        sketch.op(Unary.NEG, other);
        assertEquals(List.of(), groups());
    }

    /** If the index is refused, the parameter must still exist. */
    @Test
    void overwriteAndFallibleLaunchAreInDifferentGroups() {
        int another = sketch.input(INDEX);
        int first = gathered(other);
        int second = sketch.op(Binary.MUL, first, other);
        int updated = sketch.op(Binary.SUB, parameter, second);
        sketch.op(Unary.EXP, updated);
        assertEquals(List.of("0-1", "2-3"), groups());
        int third = sketch.op(new Gather(0), updated, another);
        sketch.op(Unary.NEG, third);
        assertEquals(List.of("0-1", "2-3", "4-5"), groups());
    }

    /** Like steps of a language model, which write each layer's keys and values to the place that one index gives. */
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
        List<LaunchGroup> groups = found();
        assertEquals(List.of("1-4"), groups());
        assertFalse(groups.getFirst().mayRefuse());
        assertTrue(groups.getFirst().reliesOnEarlierTasks());
        assertTrue(groups.getFirst().hasKnownIndices(2));
        assertFalse(groups.getFirst().hasKnownIndices(1));
    }

    @Test
    void anotherBoundIsLookedAtAgain() {
        int longer = sketch.dyingInput(new TensorType(DType.FLOAT32, Shape.of(65)));
        IndexWrite write = new IndexWrite(Scatter.Fn.SET, 0);
        sketch.op(write, parameter, index, other);
        sketch.op(write, longer, index, other);
        assertEquals(List.of(), groups());
    }

    /** A value that the unit computed itself is computed again. */
    @Test
    void overwriteOfTheGroupsOwnValueDoesNotCutIt() {
        int first = gathered(other);
        int second = sketch.op(Unary.NEG, first);
        int third = sketch.op(Unary.EXP, second);
        sketch.drop(first, second);
        sketch.op(Unary.NEG, third);
        assertEquals(List.of("0-3"), groups());
    }

    @Test
    void numbersInInstructionsAreCounted() {
        int first = sketch.op(Binary.MUL, other, Scalar.of(DType.FLOAT32, 0.5));
        sketch.op(Binary.ADD, first, Scalar.of(DType.FLOAT32, 0.5));
        assertEquals(2, found().getFirst().numbers());
    }

    // ---- exchanges

    private static Collective exchange(Collective.Fn fn) {
        return new Collective(fn, FLOATS, List.of(0, 1), Optional.empty(), Optional.empty(), 1, 1);
    }

    private List<LaunchGroup> exchanging() {
        return found(LaunchGrouping::withExchanges);
    }

    /** Exchanges that run one by one cut units; exchanges that all members launch together are part of a unit. */
    @Test
    void exchangesArePartOfGroupsOfTheirOwnKind() {
        int first = sketch.op(Unary.NEG, other);
        int second = sketch.op(Unary.EXP, first);
        int sum = sketch.op(exchange(Collective.Fn.ALL_REDUCE), second);
        int third = sketch.op(Unary.NEG, sum);
        sketch.op(exchange(Collective.Fn.ALL_REDUCE), third);
        assertEquals(List.of("0-1"), groups());
        List<LaunchGroup> groups = exchanging();
        assertEquals(List.of("0-4"), text(groups));
        assertArrayEquals(new int[] {2, 4}, groups.getFirst().exchangesAt());
        assertFalse(groups.getFirst().mayRefuse());
    }

    /** The other members rely on every exchange of a unit. */
    @Test
    void whatMayRefuseAValueIsInNoGroupWithExchanges() {
        int longer = sketch.input(new TensorType(DType.FLOAT32, Shape.of(65)));
        int first = gathered(other);
        int second = sketch.op(Unary.NEG, first);
        int sum = sketch.op(exchange(Collective.Fn.ALL_REDUCE), second);
        int third = sketch.op(Unary.NEG, sum);
        int fourth = sketch.op(new Gather(0), longer, index);
        sketch.op(Binary.ADD, third, fourth);
        List<LaunchGroup> groups = exchanging();
        assertEquals(List.of("0-1", "2-3", "4-5"), text(groups));
        assertEquals(
                List.of(false, true, false),
                groups.stream().map(LaunchGroup::exchanges).toList());
        assertEquals(
                List.of(true, false, true),
                groups.stream().map(LaunchGroup::mayRefuse).toList());
    }

    /** Other members do not take part in it, or run other programs. */
    @Test
    void whatIsNotExchangedByAllAtOnceIsInNoGroup() {
        int first = sketch.op(Unary.NEG, other);
        int rounded = sketch.op(Collective.rounded(FLOATS, List.of(0, 1), WireFormat.BFLOAT16, 1, 1), first);
        sketch.op(Unary.EXP, rounded);
        assertEquals(List.of(), text(exchanging()));
        assertFalse(WholeExchange.is(exchange(Collective.Fn.SEND)));
        Collective uneven = new Collective(
                Collective.Fn.ALL_GATHER,
                FLOATS,
                List.of(0, 1),
                Optional.of(new Split(0, List.of(0L, 10L, 64L))),
                Optional.empty(),
                1,
                1);
        assertFalse(WholeExchange.is(uneven));
        Collective turned = new Collective(
                Collective.Fn.ALL_REDUCE, FLOATS, List.of(1, 0), Optional.empty(), Optional.empty(), 1, 1);
        assertFalse(WholeExchange.is(turned));
    }
}
