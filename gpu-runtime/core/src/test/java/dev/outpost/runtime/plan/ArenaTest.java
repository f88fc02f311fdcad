package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.op.Axes;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.reference.ReferenceEngine;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ArenaTest {
    private static final TensorType FLOATS = new TensorType(DType.FLOAT32, Shape.of(64));
    private static final int TASKS = 200;
    /** The allowed ratio of an arena's size to the bytes that live at the same time. */
    private static final double WORST = 1.2;

    private static Arena.Life life(int value, long bytes, int from, int to) {
        return new Arena.Life(value, bytes, from, to);
    }

    private static Arena arena(List<Arena.Life> lives) {
        return Arena.of(lives, lives.size(), 0);
    }

    private static Arena arena(Graph graph) {
        RewriteContext context = RewriteContext.of(graph, List.of(), true);
        Plan plan = Planner.with(new ReferenceEngine(), List.of(), false, true).plan(graph, true);
        Liveness liveness = Liveness.of(context, plan.tasks());
        AliasSets aliasSets = AliasSets.of(context, liveness);
        Donations donations = Donations.of(context, plan.tasks(), aliasSets);
        return Arena.of(context, plan.tasks(), aliasSets, donations, List.of());
    }

    @Test
    void valuesThatNeverLiveTogetherShareAPlace() {
        Arena arena = arena(List.of(life(0, 1000, 0, 1), life(1, 1000, 2, 3), life(2, 500, 1, 2)));
        assertEquals(0, arena.place(0));
        assertEquals(0, arena.place(1));
        assertEquals(1024, arena.place(2));
        assertEquals(1024 + 512, arena.bytes());
    }

    /** The smaller of two large enough gaps is used. */
    @Test
    void theSmallestGapIsTaken() {
        Arena arena = arena(List.of(
                life(0, 5120, 0, 0),
                life(1, 4096, 0, 9),
                life(2, 2048, 0, 0),
                life(3, 1024, 0, 9),
                life(4, 512, 5, 9)));
        assertEquals(
                List.of(0L, 5120L, 9216L, 11264L),
                List.of(arena.place(0), arena.place(1), arena.place(2), arena.place(3)));
        assertEquals(9216, arena.place(4));
    }

    @Test
    void numbersLieBehindAllElse() {
        Arena arena = arena(List.of(life(0, 1000, 0, 1))).withNumbers(3).withNumbers(2);
        assertEquals(1024, arena.numberAt(0));
        assertEquals(1024 + 3 * 8, arena.bytes());
    }

    /** Many short lives and some long ones, as in training. */
    @Test
    void noTwoThatLiveAtOnceOverlapAndTheArenaIsNearThePeak() {
        Random random = new Random(20_261);
        double sum = 0;
        double worst = 0;
        for (int round = 0; round < 50; round++) {
            List<Arena.Life> lives = new ArrayList<>();
            for (int task = 0; task < TASKS; task++) {
                int length = random.nextInt(4) == 0 ? random.nextInt(TASKS - task) : random.nextInt(3);
                lives.add(life(
                        task,
                        1 + random.nextInt(1 << random.nextInt(6, 20)),
                        task,
                        Math.min(TASKS - 1, task + length)));
            }
            Arena arena = arena(lives);
            requireApart(lives, arena);
            double ratio = (double) arena.bytes() / peak(lives);
            sum += ratio;
            worst = Math.max(worst, ratio);
        }
        double mean = sum / 50;
        assertTrue(worst <= WORST && mean <= 1.05, "at worst " + worst + " of the peak, on average " + mean);
    }

    private static void requireApart(List<Arena.Life> lives, Arena arena) {
        for (Arena.Life one : lives) {
            assertEquals(0, arena.place(one.value()) % Arena.ALIGNMENT);
            assertTrue(arena.place(one.value()) + one.bytes() <= arena.bytes());
            for (Arena.Life other : lives) {
                boolean isBehind = arena.place(other.value()) >= arena.place(one.value()) + one.bytes();
                boolean isBefore = arena.place(one.value()) >= arena.place(other.value()) + other.bytes();
                assertTrue(one == other || !one.meets(other) || isBehind || isBefore, () -> one + " and " + other);
            }
        }
    }

    /** More lives than are compared with each other. */
    @Test
    void theSmallestOfManyLieAboveTheRest() {
        int tasks = Arena.MAX_FITTED + 4_000;
        Random random = new Random(1);
        List<Arena.Life> lives = new ArrayList<>();
        for (int task = 0; task < tasks; task++) {
            int length = random.nextInt(4) == 0 ? random.nextInt(200) : random.nextInt(3);
            long bytes = 1 + random.nextInt(1 << random.nextInt(6, 20));
            lives.add(life(task, bytes, task, Math.min(tasks - 1, task + length)));
        }
        Arena arena = arena(lives);
        requireNeighboursApart(lives, arena, tasks);
        double ratio = (double) arena.bytes() / peak(lives);
        assertTrue(ratio <= WORST, "it takes " + ratio + " of the peak");
    }

    /** Checks that values that live at the same time do not overlap their neighbours in memory. */
    private static void requireNeighboursApart(List<Arena.Life> lives, Arena arena, int tasks) {
        List<List<Arena.Life>> dying = new ArrayList<>();
        lives.forEach(_ -> dying.add(new ArrayList<>()));
        TreeMap<Long, Arena.Life> byPlace = new TreeMap<>();
        for (int task = 0; task < tasks; task++) {
            Arena.Life born = lives.get(task);
            long place = arena.place(born.value());
            assertNull(byPlace.put(place, born));
            dying.get(born.to()).add(born);
            Map.Entry<Long, Arena.Life> below = byPlace.lowerEntry(place);
            Map.Entry<Long, Arena.Life> above = byPlace.higherEntry(place);
            assertTrue(
                    below == null || below.getKey() + below.getValue().bytes() <= place, () -> below + " and " + born);
            assertTrue(above == null || place + born.bytes() <= above.getKey(), () -> born + " and " + above);
            dying.get(task).forEach(life -> byPlace.remove(arena.place(life.value())));
        }
    }

    /** The maximum sum of the sizes of values that live at the same time. */
    private static long peak(List<Arena.Life> lives) {
        long[] more = new long[lives.size() + 1];
        for (Arena.Life life : lives) {
            long bytes = (life.bytes() + Arena.ALIGNMENT - 1) / Arena.ALIGNMENT * Arena.ALIGNMENT;
            more[life.from()] += bytes;
            more[life.to() + 1] -= bytes;
        }
        Arrays.parallelPrefix(more, Long::sum);
        return Arrays.stream(more).max().orElseThrow();
    }

    /** A chain of three steps, each in the memory of the step before the previous one; the result belongs to the program. */
    @Test
    void valueThatOutlivesTheRunHasNoPlace() {
        Sketch sketch = new Sketch();
        int input = sketch.input(FLOATS);
        int first = sketch.op(Binary.ADD, input, input);
        int kept = sketch.op(Binary.MUL, first, input);
        Arena arena = arena(sketch.drop(first).graph());
        assertEquals(Arena.NOWHERE, arena.place(input));
        assertEquals(Arena.NOWHERE, arena.place(kept));
        // The product overwrites the sum, which is not used later.
        assertEquals(Arena.NOWHERE, arena.place(first));
        assertEquals(256, arena.besideBytes());
    }

    @Test
    void aResultOverItsOperandLivesOnInItsPlace() {
        Sketch sketch = new Sketch();
        int input = sketch.input(FLOATS);
        int first = sketch.op(Binary.ADD, input, input);
        int second = sketch.op(Unary.NEG, first);
        int other = sketch.op(Unary.EXP, input);
        int third = sketch.op(Binary.MUL, second, other);
        int kept = sketch.op(new Reduce(Reduce.Fn.SUM, Axes.of(0), false), third);
        Arena arena = arena(sketch.drop(first, second, other, third).graph());
        assertNotEquals(Arena.NOWHERE, arena.place(first));
        assertEquals(Arena.NOWHERE, arena.place(second));
        assertNotEquals(arena.place(first), arena.place(other));
        assertEquals(512, arena.bytes());
        assertEquals(Arena.NOWHERE, arena.place(kept));
    }
}
