package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * From when to when a run needs each memory that its kernels make. A result that is written over an operand lives on in the
 * operand's memory.
 */
final class LiveIntervals {
    /** Beyond it nothing is worth a place: no device has as much. */
    private static final long MAX_BYTES = 1L << 48;

    private static final int ELSEWHERE = -1;

    private final AliasSets aliasSets;
    /** For a storage the one whose memory it lies in, where kernels of this run made that. */
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

    /** The memory that is given back before the run ends. */
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

    /** The bytes that are made and live on; saturating. */
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
