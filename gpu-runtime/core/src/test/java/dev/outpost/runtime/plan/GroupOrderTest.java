package dev.outpost.runtime.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class GroupOrderTest {
    private final GroupOrder order = new GroupOrder();

    private int open(int... producers) {
        int group = order.open();
        IntStream.of(producers).forEach(producer -> order.follow(group, producer));
        return group;
    }

    @Test
    void waitsForWhatIsWaitedFor() {
        int first = open();
        int second = open(first);
        int third = open(second);
        assertTrue(order.waits(third, first));
        assertFalse(order.waits(first, third));
        assertTrue(order.isAnyBetween(first, third));
        assertFalse(order.isAnyBetween(first, second));
        assertEquals(Set.of(second), order.producers(third));
    }

    @Test
    void laterWaitReachesTheGroupsBehind() {
        int first = open();
        int second = open(first);
        int third = open(second);
        int late = open();
        order.follow(first, late);
        assertTrue(order.waits(third, late));
    }

    @Test
    void thoseBehindAGroupWaitForWhatItBecomesAPartOf() {
        int first = open();
        int behind = open(first);
        int other = open();
        int target = open(first, other);
        order.merge(first, target);
        assertTrue(order.waits(behind, target));
        assertTrue(order.waits(behind, other));
        assertEquals(Set.of(target), order.producers(behind));
        assertEquals(Set.of(other), order.producers(target));
    }

    @Test
    void aGroupMayBeTakenBack() {
        int first = open();
        int second = open(first);
        open(second);
        order.undo();
        int another = open(first);
        assertFalse(order.waits(another, second));
        int target = open(second);
        order.merge(second, target);
        assertTrue(order.waits(target, first));
    }

    /** Compares the order with edges that are followed again for each query. */
    @Test
    void orderIsTheClosureOfItsEdges() {
        checkRandomly(40);
    }

    @Test
    @Tag("full")
    void orderIsTheClosureInManyOrders() {
        checkRandomly(200);
    }

    private static void checkRandomly(int seeds) {
        for (int seed = 0; seed < seeds; seed++) {
            checkRandomly(new Random(seed), "seed " + seed);
        }
    }

    private static void checkRandomly(Random random, String what) {
        GroupOrder order = new GroupOrder();
        List<Set<Integer>> edges = new ArrayList<>();
        List<Integer> alive = new ArrayList<>();
        for (int step = 0; step < 60; step++) {
            int kind = alive.size() < 4 ? 0 : random.nextInt(4);
            int one = alive.isEmpty() ? 0 : alive.get(random.nextInt(alive.size()));
            int other = alive.isEmpty() ? 0 : alive.get(random.nextInt(alive.size()));
            if (kind < 2) {
                alive.add(order.open());
                edges.add(new HashSet<>());
                if (alive.size() > 1) {
                    follow(order, edges, alive.getLast(), one);
                    follow(order, edges, alive.getLast(), other);
                }
            } else if (one != other && !reaches(edges, other, one)) {
                boolean isBetween = edges.get(one).stream().anyMatch(producer -> reaches(edges, producer, other));
                assertEquals(isBetween, order.isAnyBetween(other, one), what);
                if (kind == 2) {
                    follow(order, edges, one, other);
                } else if (!isBetween) {
                    order.merge(other, one);
                    merge(edges, other, one);
                    alive.remove((Integer) other);
                }
            }
            for (int group : alive) {
                for (int before : alive) {
                    boolean waits = edges.get(group).stream()
                            .anyMatch(producer -> producer == before || reaches(edges, producer, before));
                    assertEquals(waits, order.waits(group, before), what);
                }
            }
        }
    }

    private static void follow(GroupOrder order, List<Set<Integer>> edges, int group, int producer) {
        order.follow(group, producer);
        edges.get(group).add(producer);
    }

    private static void merge(List<Set<Integer>> edges, int from, int into) {
        edges.get(into).addAll(edges.get(from));
        edges.get(from).clear();
        for (Set<Integer> producers : edges) {
            if (producers.remove(from)) {
                producers.add(into);
            }
        }
        edges.get(into).remove(into);
    }

    /** Returns true if a group waits for another. */
    private static boolean reaches(List<Set<Integer>> edges, int group, int other) {
        return edges.get(group).stream().anyMatch(producer -> producer == other || reaches(edges, producer, other));
    }
}
