package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.ir.Structure;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import java.util.Arrays;
import java.util.List;

/** Finds for each value of a graph the last task that uses it. Values that outlive the segment do not die. */
final class Liveness {
    /** The value dies before the first instruction, because it is a dying input that nothing uses. */
    private static final int AT_START = -1;

    /** The value outlives the segment, or is not computed because another value replaces it or nothing needs it. */
    static final int NEVER = Integer.MAX_VALUE;

    private final int[] lastUse;

    private Liveness(int[] lastUse) {
        this.lastUse = lastUse;
    }

    /** @param tasks the tasks of the graph, in the order in which they run */
    static Liveness of(RewriteContext context, List<Task> tasks) {
        Graph graph = context.graph();
        Instruction[] instructions = context.byPlace();
        int[] lastUse = new int[graph.valueCount()];
        Arrays.fill(lastUse, NEVER);
        Arrays.fill(lastUse, 0, graph.structure().inputCount(), AT_START);
        for (int task = 0; task < tasks.size(); task++) {
            for (int place : tasks.get(task).instructions()) {
                use(instructions[place], task, lastUse);
            }
        }
        spareSurvivors(graph.structure(), context.replacements(), lastUse);
        return new Liveness(lastUse);
    }

    /** Records the uses of an instruction. An unused result dies after the task that computes it. */
    private static void use(Instruction instruction, int task, int[] lastUse) {
        for (int position = 0; position < instruction.operandCount(); position++) {
            if (instruction.operand(position) != Instruction.IMMEDIATE) {
                lastUse[instruction.operand(position)] = task;
            }
        }
        for (int position = 0; position < instruction.resultCount(); position++) {
            lastUse[instruction.result(position)] = task;
        }
    }

    private static void spareSurvivors(Structure structure, int[] replacements, int[] lastUse) {
        for (int input = 0; input < structure.inputCount(); input++) {
            if (!structure.isDying(input)) {
                lastUse[input] = NEVER;
            }
        }
        for (int result = 0; result < structure.resultCount(); result++) {
            if (structure.isKept(result)) {
                lastUse[replacements[structure.inputCount() + result]] = NEVER;
            }
        }
    }

    /**
     * Returns the index of the task after which a value dies; {@link #NEVER} if it outlives all tasks, and -1 if none
     * uses it.
     */
    int lastUse(int value) {
        return lastUse[value];
    }

    int[] dyingAtStart() {
        return dyingAt(AT_START);
    }

    /** Returns for each task the values that no later task needs. */
    int[][] dyingAfter(int tasks) {
        int[] counts = new int[tasks];
        for (int use : lastUse) {
            if (use != AT_START && use != NEVER) {
                counts[use]++;
            }
        }
        int[][] dying = new int[tasks][];
        Arrays.setAll(dying, index -> new int[counts[index]]);
        for (int value = lastUse.length - 1; value >= 0; value--) {
            int use = lastUse[value];
            if (use != AT_START && use != NEVER) {
                dying[use][--counts[use]] = value;
            }
        }
        return dying;
    }

    private int[] dyingAt(int use) {
        int[] values = new int[lastUse.length];
        int count = 0;
        for (int value = 0; value < lastUse.length; value++) {
            if (lastUse[value] == use) {
                values[count++] = value;
            }
        }
        return Arrays.copyOf(values, count);
    }
}
