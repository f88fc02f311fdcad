package dev.outpost.runtime.plan;

import dev.outpost.runtime.plan.rewrite.RewriteContext;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * One block of memory for all values that a run creates and releases, so that each value has the same place in every
 * run. Values that outlive the run, or that other code creates, such as uploads, lie elsewhere.
 */
public final class Arena {
    /** The place of a storage outside of the arena. */
    public static final long NOWHERE = -1;

    /** The alignment of places in bytes, which equals the alignment of a device's allocations. */
    static final long ALIGNMENT = 256;

    private static final int NUMBER_BYTES = Long.BYTES;

    /**
     * The maximum number of lives that get a best fit. The plan compares each life with all placed lives, which takes 0.1 s for
     * this number.
     */
    static final int MAX_FITTED = 8192;

    /**
     * A storage within the arena.
     *
     * @param value the value for which it is made
     * @param from the index of the task that makes it
     * @param to the index of the last task that needs it
     */
    record Life(int value, long bytes, int from, int to) {
        boolean meets(Life other) {
            return from <= other.to && other.from <= to;
        }

        /**
         * Returns the life, extended to the end of the launch group in which it would end, unless it begins in that
         * group.
         */
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
     * Plans an arena. If a launch group may refuse a value, storages older than the group live until the group has run, because its tasks
     * may have to run again.
     *
     * @param groupings the ways to cut the tasks into launch groups; a run may use any of them
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

    /** Returns for each task the launch group that contains it and may refuse a value, or null. */
    private static LaunchGroup[] refusing(List<LaunchGroup> groups, int tasks) {
        LaunchGroup[] groupOf = new LaunchGroup[tasks];
        groups.stream()
                .filter(LaunchGroup::mayRefuse)
                .forEach(group -> Arrays.fill(groupOf, group.first(), group.end(), group));
        return groupOf;
    }

    /**
     * Places lives in two orders, by size and by size times lifetime, the largest first, and returns the smaller
     * arena.
     */
    static Arena of(List<Life> lives, int values, long besideBytes) {
        Comparator<Life> last = Comparator.comparingInt(Life::value);
        Arena bySize =
                of(lives, Comparator.comparingLong(Life::bytes).reversed().thenComparing(last), values, besideBytes);
        Arena byArea =
                of(lives, Comparator.comparingDouble(Life::area).reversed().thenComparing(last), values, besideBytes);
        return byArea.bytes() < bySize.bytes() ? byArea : bySize;
    }

    /**
     * Places each life in the smallest sufficient gap between the lives that overlap it in time. If there are very many lives, only the
     * first and largest ones get such a gap. The others are placed above all overlapping lives.
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

    /** Returns the place at which the next life may begin. */
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

    /** Returns an arena with additional room at the end for immediate numbers of instructions, 8 bytes each. */
    Arena withNumbers(int count) {
        numbers = Math.max(numbers, count);
        return this;
    }

    /** Returns the number by which an engine recognizes the arena's memory in each run. */
    public long use() {
        return number << Integer.SIZE;
    }

    /** Returns the number by which an engine recognizes the memory of a value outside of the arena. */
    public long useOf(int value) {
        return use() + value + 1;
    }

    /** Returns the place of a value in the arena in bytes, or {@link #NOWHERE}. */
    public long place(int value) {
        return indices[value];
    }

    public long numberAt(int number) {
        return numbersAt + (long) NUMBER_BYTES * number;
    }

    /** Returns the size of the arena in bytes, including the numbers. */
    public long bytes() {
        return numberAt(numbers);
    }

    /** Returns the bytes of the values that a run creates outside of the arena. */
    public long besideBytes() {
        return besideBytes;
    }
}
