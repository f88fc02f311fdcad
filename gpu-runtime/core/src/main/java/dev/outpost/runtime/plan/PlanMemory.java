package dev.outpost.runtime.plan;

import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.tape.Graph;
import dev.outpost.protocol.tape.Instruction;
import java.util.Arrays;

/**
 * What the values of a graph take while its plan runs: a value from the task that stores it to the task after which it
 * dies, or to the end. A view takes nothing, and what it is over lives as long as it does.
 */
public final class PlanMemory {
    /** Stands for the time before the first task. */
    public static final int AT_START = -1;

    /** Stands for the time after the last task. */
    public static final int NEVER = Integer.MAX_VALUE;

    private final Graph graph;
    private final int[] storedBy;
    private final int[] lastUse;
    private final long[] bytes;
    private long inputBytes;
    private long peakBytes;
    private int peakAt = AT_START;
    private long keptBytes;

    private PlanMemory(Graph graph) {
        this.graph = graph;
        storedBy = new int[graph.valueCount()];
        lastUse = new int[graph.valueCount()];
        bytes = new long[graph.valueCount()];
        // What no task stores stays so: only its own group ever needs it.
        Arrays.fill(storedBy, NEVER);
        Arrays.fill(lastUse, NEVER);
    }

    public static PlanMemory of(Graph graph, Plan plan) {
        PlanMemory memory = new PlanMemory(graph);
        memory.findLives(plan);
        memory.extendBases();
        memory.sum(plan.tasks().size());
        return memory;
    }

    /** The task that stores a value, or {@link #AT_START} for an input; {@link #NEVER} where none does. */
    public int storedBy(int value) {
        return storedBy[value];
    }

    /** The task after which nobody needs a value, or {@link #AT_START} or {@link #NEVER}. */
    public int lastUse(int value) {
        return lastUse[value];
    }

    public long inputBytes() {
        return inputBytes;
    }

    /** The most that is held at once, inputs included. */
    public long peakBytes() {
        return peakBytes;
    }

    /** The first task at which that is so; {@link #AT_START} where no task stores anything. */
    public int peakAt() {
        return peakAt;
    }

    /** What is held at the end, inputs that live on included. */
    public long keptBytes() {
        return keptBytes;
    }

    private void findLives(Plan plan) {
        int inputs = graph.structure().inputCount();
        for (int input = 0; input < inputs; input++) {
            storedBy[input] = AT_START;
            bytes[input] = graph.type(input).bytes();
            inputBytes += bytes[input];
        }
        note(plan.dyingAtStart(), AT_START);
        for (int place = 0; place < plan.tasks().size(); place++) {
            for (int value : stored(plan.tasks().get(place))) {
                storedBy[value] = place;
                bytes[value] = graph.type(value).bytes();
            }
            note(plan.dyingAfter(place), place);
        }
    }

    private void note(int[] dying, int place) {
        for (int value : dying) {
            lastUse[value] = place;
        }
    }

    private int[] stored(Task task) {
        if (task.isFused()) {
            return task.results();
        }
        Instruction instruction = graph.instructions().get(task.instructions()[0]);
        int[] results = new int[instruction.resultCount()];
        Arrays.setAll(results, instruction::result);
        return results;
    }

    /** From the last to the first, so that a view of a view is counted where its memory is. */
    private void extendBases() {
        for (Instruction instruction : graph.instructions().reversed()) {
            if (instruction.op() instanceof AsStrided && instruction.operand(0) != Instruction.IMMEDIATE) {
                int view = instruction.result(0);
                int base = instruction.operand(0);
                bytes[view] = 0;
                lastUse[base] = Math.max(lastUse[base], lastUse[view]);
            }
        }
    }

    private void sum(int tasks) {
        long[] change = new long[tasks + 2];
        for (int value = 0; value < bytes.length; value++) {
            if (storedBy[value] != NEVER) {
                change[storedBy[value] + 1] += bytes[value];
                if (lastUse[value] != NEVER) {
                    change[lastUse[value] + 2] -= bytes[value];
                }
            }
        }
        long held = 0;
        for (int place = AT_START; place < tasks; place++) {
            held += change[place + 1];
            if (held > peakBytes) {
                peakBytes = held;
                peakAt = place;
            }
        }
        keptBytes = held + change[tasks + 1];
    }
}
