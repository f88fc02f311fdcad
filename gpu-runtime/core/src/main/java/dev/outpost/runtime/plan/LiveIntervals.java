package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The tasks between which a run needs each storage that its kernels create. A result that overwrites an operand extends
 * the life of the operand's storage.
 */
final class LiveIntervals {
    /** The maximum number of bytes of a storage that gets a place. No device has as much memory. */
    private static final long MAX_BYTES = 1L << 48;

    private static final int ELSEWHERE = -1;

    private final AliasSets aliasSets;
    /**
     * For each storage, the storage whose memory it uses; {@link #ELSEWHERE} if kernels of this run did not create
     * that.
     */
    private final int[] root;

    private final int[] from;
    private final int[] to;

    private LiveIntervals(AliasSets aliasSets, int values) {
        this.aliasSets = aliasSets;
        this.root = new int[values];
        this.from = new int[values];
        this.to = new int[values];
        Arrays.fill(root, ELSEWHERE);
    }

    static LiveIntervals of(RewriteContext context, List<Task> tasks, AliasSets aliasSets, Donations donations) {
        LiveIntervals intervals = new LiveIntervals(aliasSets, context.graph().valueCount());
        Instruction[] instructions = context.byPlace();
        for (int task = 0; task < tasks.size(); task++) {
            if (tasks.get(task).kernel() != null) {
                intervals.run(tasks.get(task).stored(instructions), donations.byTask()[task], task);
            }
        }
        return intervals;
    }

    private void run(int[] results, int[] donors, int task) {
        for (int position = 0; position < results.length; position++) {
            int result = results[position];
            boolean isGiven = position < donors.length && donors[position] != Plan.NO_DONOR;
            root[result] = isGiven ? root[aliasSets.of(donors[position])] : result;
            if (root[result] == result) {
                from[result] = task;
            }
            if (root[result] != ELSEWHERE) {
                to[root[result]] = Math.max(to[root[result]], aliasSets.lastNeed(result));
            }
        }
    }

    /** Returns the storages that are released before the run ends. */
    List<Arena.Life> within() {
        List<Arena.Life> within = new ArrayList<>();
        for (int value = 0; value < root.length; value++) {
            if (isWithin(value)) {
                within.add(new Arena.Life(value, aliasSets.bytes(value), from[value], to[value]));
            }
        }
        return within;
    }

    private boolean isWithin(int value) {
        long bytes = aliasSets.bytes(value);
        return root[value] == value && to[value] != Liveness.NEVER && bytes > 0 && bytes < MAX_BYTES;
    }

    /** Returns the bytes of the created storages that outlive the run, limited so that the sum does not overflow. */
    long besideBytes() {
        long sum = 0;
        for (int value = 0; value < root.length; value++) {
            if (root[value] == value && !isWithin(value)) {
                sum += Math.min(MAX_BYTES, aliasSets.bytes(value));
            }
        }
        return sum;
    }
}
