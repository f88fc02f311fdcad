package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import java.util.List;

/**
 * The memory that a plan's runs hold at the same time, known before they run. Each input counts as a separate storage. Memory
 * that an engine needs within a kernel does not count.
 */
public final class MemoryPlan {
    private final long inputBytes;
    private final long[] bytesDuring;
    private final long peakBytes;
    private final long keptBytes;

    private MemoryPlan(long inputBytes, long[] bytesDuring, long keptBytes) {
        this.inputBytes = inputBytes;
        this.keptBytes = keptBytes;
        this.bytesDuring = bytesDuring;
        long peak = inputBytes;
        for (long bytes : bytesDuring) {
            peak = Math.max(peak, bytes);
        }
        this.peakBytes = peak;
    }

    static MemoryPlan of(RewriteContext context, List<Task> tasks, AliasSets aliasSets, Donations donations) {
        Account account = new Account(aliasSets, context.graph().structure().inputCount(), tasks.size());
        Instruction[] instructions = context.byPlace();
        long[] bytesDuring = new long[tasks.size()];
        for (int task = 0; task < bytesDuring.length; task++) {
            bytesDuring[task] =
                    account.run(tasks.get(task).stored(instructions), donations.byTask()[task], task);
        }
        return new MemoryPlan(account.inputBytes, bytesDuring, account.held);
    }

    /** Returns the bytes that are held after the run, including inputs that are still alive. */
    public long keptBytes() {
        return keptBytes;
    }

    /** Returns the bytes of the inputs, each according to its type. */
    public long inputBytes() {
        return inputBytes;
    }

    /** Returns the bytes that must be free for a run in addition to its inputs. */
    public long newBytes() {
        return peakBytes - inputBytes;
    }

    /**
     * Returns the peak of the bytes of inputs, intermediates and results, or the largest long if the sum overflows.
     */
    public long peakBytes() {
        return peakBytes;
    }

    /** Returns the bytes that are held while a task runs. */
    public long bytesDuring(int task) {
        return bytesDuring[task];
    }

    /** Counts the bytes that are held while the tasks run in order. */
    private static final class Account {
        private final AliasSets aliasSets;
        private final long[] dyingAfter;
        private final long inputBytes;
        private long held;

        Account(AliasSets aliasSets, int inputs, int tasks) {
            this.aliasSets = aliasSets;
            this.dyingAfter = new long[tasks];
            for (int input = 0; input < inputs; input++) {
                hold(input);
            }
            inputBytes = held;
            for (int input = 0; input < inputs; input++) {
                held -= aliasSets.lastUse(input) < 0 ? aliasSets.bytes(input) : 0;
            }
        }

        private void hold(int storage) {
            held = sum(held, aliasSets.bytes(storage));
            int last = aliasSets.lastUse(storage);
            if (last >= 0 && last < dyingAfter.length) {
                dyingAfter[last] = sum(dyingAfter[last], aliasSets.bytes(storage));
            }
        }

        /** Counts the memory of a task. A donor's memory is counted once, because the result reuses it. */
        long run(int[] results, int[] donors, int task) {
            for (int position = 0; position < results.length; position++) {
                int storage = aliasSets.of(results[position]);
                if (storage == results[position]) {
                    hold(storage);
                }
                if (position < donors.length && donors[position] != Plan.NO_DONOR) {
                    long given = aliasSets.bytes(aliasSets.of(donors[position]));
                    held -= given;
                    dyingAfter[task] -= given;
                }
            }
            long during = held;
            held -= dyingAfter[task];
            return during;
        }

        private static long sum(long one, long other) {
            long sum = one + other;
            return sum < 0 ? Long.MAX_VALUE : sum;
        }
    }
}
