package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.protocol.op.StridedWrite;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.plan.rewrite.MayFault;
import dev.outpost.runtime.plan.rewrite.RewriteContext;
import dev.outpost.types.Shape;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the results that may overwrite an operand that dies with the task, such as the new value of a parameter that
 * overwrites the old one. Elementwise tasks read each element before they write it. Ops that write some elements of a
 * value leave the others unchanged. A fused task that may fail half way has no donors, because its instructions run
 * again after a failure.
 */
final class Donations {
    private static final int[] NONE = {};

    private final Graph graph;
    private final Instruction[] instructions;
    private final AliasSets aliasSets;
    private final int[][] byTask;

    private Donations(RewriteContext context, AliasSets aliasSets, int tasks) {
        this.graph = context.graph();
        this.instructions = context.byPlace();
        this.aliasSets = aliasSets;
        this.byTask = new int[tasks][];
        Arrays.fill(byTask, NONE);
    }

    static Donations none(RewriteContext context, List<Task> tasks, AliasSets aliasSets) {
        return new Donations(context, aliasSets, tasks.size());
    }

    static Donations of(RewriteContext context, List<Task> tasks, AliasSets aliasSets) {
        Donations donations = new Donations(context, aliasSets, tasks.size());
        for (int task = 0; task < tasks.size(); task++) {
            donations.byTask[task] = donations.donors(tasks.get(task), task);
        }
        return donations;
    }

    /**
     * Returns for each task the donors of its results, or {@link Plan#NO_DONOR}; an empty array for a task without
     * donors.
     */
    int[][] byTask() {
        return byTask;
    }

    private int[] donors(Task task, int number) {
        Instruction first = instructions[task.instructions()[0]];
        if (!task.isFused() && isWrite(first.op())) {
            return isFree(first.operand(0), number) && isReadOnce(task, first.operand(0))
                    ? new int[] {first.operand(0)}
                    : NONE;
        }
        return isElementwise(task) ? new Elementwise(task, number).donors() : NONE;
    }

    private static boolean isWrite(Op op) {
        return op instanceof StridedWrite || op instanceof Scatter || op instanceof IndexWrite;
    }

    private boolean isElementwise(Task task) {
        for (int place : task.instructions()) {
            Instruction instruction = instructions[place];
            Op op = instruction.op();
            boolean isOne = op instanceof Unary || op instanceof Binary || op instanceof Ternary || op instanceof Cast;
            if (!isOne
                    || task.isFused() && MayFault.is(instruction)
                    || !shape(instruction).equals(shape(instructions[task.instructions()[0]]))) {
                return false;
            }
        }
        return true;
    }

    private static Shape shape(Instruction instruction) {
        return instruction.resultType(0).shape();
    }

    /** Returns true if a value fills its storage, and no later task needs the storage. */
    private boolean isFree(int value, int task) {
        return value != Instruction.IMMEDIATE
                && aliasSets.isWhole(value)
                && aliasSets.lastUse(aliasSets.of(value)) == task;
    }

    /** Returns true if the task reads a value's storage exactly once. */
    private boolean isReadOnce(Task task, int value) {
        Instruction instruction = instructions[task.instructions()[0]];
        int reads = 0;
        for (int position = 0; position < instruction.operandCount(); position++) {
            int operand = instruction.operand(position);
            reads += operand != Instruction.IMMEDIATE && aliasSets.of(operand) == aliasSets.of(value) ? 1 : 0;
        }
        return reads == 1;
    }

    /** A task that computes each element of its results from the operands' elements at the same position. */
    private final class Elementwise {
        private final Task task;
        private final int number;
        private final Set<Integer> within = new HashSet<>();
        /** For each value from outside the task, the index of the task's instruction that reads it last. */
        private final Map<Integer, Integer> lastRead = new LinkedHashMap<>();
        /** Results that equal a value from outside, because their instruction changes nothing and gets no code. */
        private final Map<Integer, Integer> sameAs = new HashMap<>();

        Elementwise(Task task, int number) {
            this.task = task;
            this.number = number;
            for (int step = 0; step < task.instructions().length; step++) {
                read(instructions[task.instructions()[step]], step);
            }
        }

        private void read(Instruction instruction, int step) {
            for (int position = 0; position < instruction.operandCount(); position++) {
                int value = sameAs.getOrDefault(instruction.operand(position), instruction.operand(position));
                if (value != Instruction.IMMEDIATE && !within.contains(value)) {
                    lastRead.put(value, step);
                }
            }
            within.add(instruction.result(0));
            boolean changesNothing = instruction.op() == Unary.COPY
                    || instruction.op() instanceof Cast
                            && instruction.operandType(0).equals(instruction.resultType(0));
            if (changesNothing && instruction.operand(0) != Instruction.IMMEDIATE) {
                int value = instruction.operand(0);
                sameAs.put(instruction.result(0), sameAs.getOrDefault(value, value));
            }
        }

        int[] donors() {
            int[] results = results();
            for (int result : results) {
                // A result that equals a value from outside is stored after all others.
                lastRead.computeIfPresent(sameAs.getOrDefault(result, -1), (_, _) -> Integer.MAX_VALUE);
            }
            int[] donors = new int[results.length];
            boolean isAny = false;
            for (int result = 0; result < results.length; result++) {
                donors[result] = donor(results[result]);
                isAny |= donors[result] != Plan.NO_DONOR;
            }
            return isAny ? donors : NONE;
        }

        private int[] results() {
            return task.isFused() ? task.results() : new int[] {instructions[task.instructions()[0]].result(0)};
        }

        /** Returns the first operand that fits as a donor. Each operand is donated once. */
        private int donor(int result) {
            int computed = step(result);
            for (Map.Entry<Integer, Integer> operand : lastRead.entrySet()) {
                int value = operand.getKey();
                if (operand.getValue() <= computed
                        && graph.type(value).equals(graph.type(result))
                        && isFree(value, number)
                        && isAlone(value)) {
                    lastRead.put(value, Integer.MAX_VALUE);
                    return value;
                }
            }
            return Plan.NO_DONOR;
        }

        private int step(int result) {
            int[] indices = task.instructions();
            int step = 0;
            while (instructions[indices[step]].result(0) != result) {
                step++;
            }
            return step;
        }

        private boolean isAlone(int value) {
            return lastRead.keySet().stream()
                            .filter(other -> aliasSets.of(other) == aliasSets.of(value))
                            .count()
                    == 1;
        }
    }
}
