package dev.outpost.runtime.plan;

import dev.outpost.runtime.plan.rewrite.RewriteContext;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

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

    /** Each is compared with all that have a place already, which takes 0.1 s for as many. */
    static final int MAX_FITTED = 8192;

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

        /** To the end of the unit that it would die in, unless it is made there. */
        Life until(LaunchGroup[] groupOf) {
            LaunchGroup last = to < groupOf.length ? groupOf[to] : null;
            return last != null && from < last.first() ? new Life(value, bytes, from, last.end() - 1) : this;
        }

        Life longer(Life other) {
            return other.to > to ? other : this;
        }

        double area() {
            return (double) bytes * (1 + to - from);
        }
    }

    private static final AtomicLong COUNT = new AtomicLong();

    private final long number = COUNT.incrementAndGet();
    private final long[] indices;
    private final long besideBytes;
    private long numbersAt;
    private int numbers;

    private Arena(int values, long besideBytes) {
        this.indices = new long[values];
        this.besideBytes = besideBytes;
        Arrays.fill(indices, NOWHERE);
    }

    /**
     * A value that is older than a unit in which a value may be refused stays until the unit has run: it may have to
     * run again.
     *
     * @param groupings ways to cut the tasks into units, any of which a run may take
     */
    static Arena of(
            RewriteContext context,
            List<Task> tasks,
            AliasSets aliasSets,
            Donations donations,
            List<List<LaunchGroup>> groupings) {
        LiveIntervals intervals = LiveIntervals.of(context, tasks, aliasSets, donations);
        List<LaunchGroup[]> refusing =
                groupings.stream().map(groups -> refusing(groups, tasks.size())).toList();
        List<Life> within = intervals.within().stream()
                .map(life -> refusing.stream().map(life::until).reduce(life, Life::longer))
                .toList();
        return of(within, context.graph().valueCount(), intervals.besideBytes());
    }

    /** For each task the unit that it is in, where that may refuse a value. */
    private static LaunchGroup[] refusing(List<LaunchGroup> groups, int tasks) {
        LaunchGroup[] groupOf = new LaunchGroup[tasks];
        groups.stream()
                .filter(LaunchGroup::mayRefuse)
                .forEach(group -> Arrays.fill(groupOf, group.first(), group.end(), group));
        return groupOf;
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

    /**
     * Each into the smallest gap between those that live when it does. Of many lives that is done for the first ones, which
     * take most; the others lie above whatever lives when they do.
     */
    private static Arena of(List<Life> lives, Comparator<Life> order, int values, long besideBytes) {
        Arena arena = new Arena(values, besideBytes);
        List<Life> inOrder = lives.stream().sorted(order).toList();
        int fitted = Math.min(inOrder.size(), MAX_FITTED);
        BestFitPlacement fit = new BestFitPlacement(ALIGNMENT);
        for (Life life : inOrder.subList(0, fitted)) {
            arena.put(life, fit.place(life.from, life.to, life.bytes));
        }
        if (fitted < inOrder.size()) {
            arena.stack(inOrder.subList(fitted, inOrder.size()), inOrder.subList(0, fitted));
        }
        return arena;
    }

    private void put(Life life, long place) {
        indices[life.value] = place;
        numbersAt = Math.max(numbersAt, end(life));
    }

    /** Where the next may begin. */
    private long end(Life life) {
        return roundUp(indices[life.value] + life.bytes);
    }

    private void stack(List<Life> lives, List<Life> below) {
        int last = Stream.concat(lives.stream(), below.stream())
                .mapToInt(Life::to)
                .max()
                .orElse(0);
        Skyline skyline = new Skyline(last + 1);
        below.forEach(life -> skyline.raise(life.from, life.to, end(life)));
        for (Life life : lives) {
            put(life, skyline.highest(life.from, life.to));
            skyline.raise(life.from, life.to, end(life));
        }
    }

    private static long roundUp(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /** With room for numbers that stand in instructions, 8 bytes each, behind all else. */
    Arena withNumbers(int count) {
        numbers = Math.max(numbers, count);
        return this;
    }

    /** The number by which an engine knows the arena's memory: the same in each run. */
    public long use() {
        return number << Integer.SIZE;
    }

    /** The number for a value that lies outside of the arena. */
    public long useOf(int value) {
        return use() + value + 1;
    }

    /** Where the memory that a value was made with begins, or {@link #NOWHERE}. */
    public long place(int value) {
        return indices[value];
    }

    public long numberAt(int number) {
        return numbersAt + (long) NUMBER_BYTES * number;
    }

    /** All of it. */
    public long bytes() {
        return numberAt(numbers);
    }

    /** The bytes that the run makes besides. */
    public long besideBytes() {
        return besideBytes;
    }
}
