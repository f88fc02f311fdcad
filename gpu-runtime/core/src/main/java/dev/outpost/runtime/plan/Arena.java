package dev.outpost.runtime.plan;

import dev.outpost.runtime.plan.rewrite.Draft;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * One block of memory for all that a run makes and gives back again, so that it lies at the same place in each run. What
 * outlives the run lies elsewhere, and so does what somebody else makes, such as an upload.
 */
public final class Arena {
    /** Of a storage that lies elsewhere. */
    public static final long NOWHERE = -1;

    /** As devices give memory. */
    static final long ALIGNMENT = 256;

    private static final int NUMBER_BYTES = Long.BYTES;

    /**
     * A storage within the arena.
     *
     * @param value that it is made for
     * @param from the task that makes it
     * @param to the last task that needs it
     */
    record Life(int value, long bytes, int from, int to) {
        boolean meets(Life other) {
            return from <= other.to && other.from <= to;
        }

        double area() {
            return (double) bytes * (1 + to - from);
        }
    }

    private record Placed(Life life, long at) {
        long end() {
            return at + life.bytes;
        }
    }

    private final long[] places;
    private final long besideBytes;
    private long numbersAt;
    private int numbers;

    private Arena(int values, long besideBytes) {
        this.places = new long[values];
        this.besideBytes = besideBytes;
        Arrays.fill(places, NOWHERE);
    }

    /** What is older than a unit in which a value may be refused stays until it has run: it may have to run again. */
    static Arena of(Draft draft, List<Task> tasks, Storages storages, Donations donations, List<Unit> units) {
        Lives lives = Lives.of(draft, tasks, storages, donations);
        List<Life> within = new ArrayList<>(lives.within());
        for (Unit unit : units.stream().filter(Unit::mayRefuse).toList()) {
            within.replaceAll(life -> life.from < unit.first() && life.to >= unit.first() && life.to < unit.end()
                    ? new Life(life.value, life.bytes, life.from, unit.end() - 1)
                    : life);
        }
        return of(within, draft.graph().valueCount(), lives.besideBytes());
    }

    /** In the better of two orders: the largest first, or first those that take most for longest. */
    static Arena of(List<Life> lives, int values, long besideBytes) {
        Comparator<Life> last = Comparator.comparingInt(Life::value);
        Arena bySize =
                of(lives, Comparator.comparingLong(Life::bytes).reversed().thenComparing(last), values, besideBytes);
        Arena byArea =
                of(lives, Comparator.comparingDouble(Life::area).reversed().thenComparing(last), values, besideBytes);
        return byArea.bytes() < bySize.bytes() ? byArea : bySize;
    }

    /** Each into the smallest gap between those that live when it does. */
    private static Arena of(List<Life> lives, Comparator<Life> order, int values, long besideBytes) {
        Arena arena = new Arena(values, besideBytes);
        List<Placed> placed = new ArrayList<>();
        List<Life> inOrder = new ArrayList<>(lives);
        inOrder.sort(order);
        for (Life life : inOrder) {
            Placed fresh = new Placed(life, place(life, placed));
            placed.add(fresh);
            arena.places[life.value] = fresh.at;
            arena.numbersAt = Math.max(arena.numbersAt, roundUp(fresh.end()));
        }
        return arena;
    }

    private static long place(Life life, List<Placed> placed) {
        List<Placed> neighbours = new ArrayList<>();
        for (Placed other : placed) {
            if (life.meets(other.life)) {
                neighbours.add(other);
            }
        }
        neighbours.sort(Comparator.comparingLong(Placed::at));
        long best = NOWHERE;
        long smallest = Long.MAX_VALUE;
        long end = 0;
        for (Placed neighbour : neighbours) {
            long gap = neighbour.at - end;
            if (gap >= life.bytes && gap < smallest) {
                smallest = gap;
                best = end;
            }
            end = Math.max(end, roundUp(neighbour.end()));
        }
        return best == NOWHERE ? end : best;
    }

    private static long roundUp(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /** With room for numbers that stand in instructions, 8 bytes each, behind all else. */
    Arena withNumbers(int count) {
        numbers = Math.max(numbers, count);
        return this;
    }

    /** Where the memory that a value was made with begins, or {@link #NOWHERE}. */
    public long place(int value) {
        return places[value];
    }

    public long numberAt(int number) {
        return numbersAt + (long) NUMBER_BYTES * number;
    }

    /** All of it. */
    public long bytes() {
        return numberAt(numbers);
    }

    /** What the run makes besides. */
    public long besideBytes() {
        return besideBytes;
    }
}
