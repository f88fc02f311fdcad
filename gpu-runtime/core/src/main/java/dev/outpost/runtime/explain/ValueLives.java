package dev.outpost.runtime.explain;

import dev.outpost.explain.ExplainedValue;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.PlacementOp;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.Task;
import java.util.Arrays;

/** Finds for each value of a plan the kernel that computes it, whether it is stored, and the last kernel that needs its memory. */
final class ValueLives {
    /** The task number of an instruction that the planner removed. */
    static final int NO_TASK = -2;

    private final int[] taskOf;
    private final int[] computedBy;
    private final int[] lastUse;
    private final boolean[] isStored;

    ValueLives(Graph graph, Plan plan) {
        taskOf = new int[graph.instructions().size()];
        computedBy = new int[graph.valueCount()];
        lastUse = new int[graph.valueCount()];
        isStored = new boolean[graph.valueCount()];
        Arrays.fill(taskOf, NO_TASK);
        Arrays.fill(computedBy, ExplainedValue.BEFORE);
        Arrays.fill(lastUse, ExplainedValue.NEVER);
        Arrays.fill(isStored, 0, graph.structure().inputCount(), true);
        die(plan.dyingAtStart(), ExplainedValue.BEFORE);
        for (int place = 0; place < plan.tasks().size(); place++) {
            run(plan.tasks().get(place), place, graph);
            die(plan.dyingAfter(place), place);
        }
        extendBases(graph, plan);
    }

    /** Returns the task of an instruction, or {@link #NO_TASK}. */
    int taskOf(int instruction) {
        return taskOf[instruction];
    }

    int computedBy(int value) {
        return computedBy[value];
    }

    int lastUse(int value) {
        return lastUse[value];
    }

    boolean isStored(int value) {
        return isStored[value];
    }

    private void run(Task task, int place, Graph graph) {
        for (int member : task.instructions()) {
            taskOf[member] = place;
            Instruction instruction = graph.instructions().get(member);
            for (int position = 0; position < instruction.resultCount(); position++) {
                computedBy[instruction.result(position)] = place;
                isStored[instruction.result(position)] = !task.isFused();
            }
        }
        for (int stored : task.results()) {
            isStored[stored] = true;
        }
    }

    private void die(int[] values, int place) {
        for (int value : values) {
            lastUse[value] = place;
        }
    }

    /**
     * Extends the life of a base to the end of the life of its views. Processes the last view first, because a view may be the base of a
     * later view.
     */
    private void extendBases(Graph graph, Plan plan) {
        for (Instruction instruction : graph.instructions().reversed()) {
            if (taskOf[instruction.index()] != NO_TASK && instruction.op() instanceof PlacementOp placement) {
                extendBases(instruction, placement, plan);
            }
        }
    }

    private void extendBases(Instruction instruction, PlacementOp placement, Plan plan) {
        for (int position = 0; position < instruction.resultCount(); position++) {
            int operand = placement.sharedOperand(position, instruction.operandCount());
            if (operand != PlacementOp.NONE) {
                int base = plan.slot(instruction.operand(operand));
                lastUse[base] = Math.max(lastUse[base], lastUse[instruction.result(position)]);
            }
        }
    }
}
