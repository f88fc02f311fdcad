package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.Task;
import dev.outpost.types.Scalar;
import java.util.function.Function;

/** The values of one run by their place, and what a plan's tasks find among them. */
public record RunValues(Graph graph, Plan plan, Value[] slots) {
    public Instruction instruction(int index) {
        return graph.instructions().get(index);
    }

    public Instruction first(Task task) {
        return instruction(task.instructions()[0]);
    }

    public Instruction last(Task task) {
        return instruction(task.instructions()[task.instructions().length - 1]);
    }

    /** Where an operand is found, or {@link Instruction#IMMEDIATE}. */
    public int slot(Instruction instruction, int position) {
        int value = instruction.operand(position);
        return value == Instruction.IMMEDIATE ? value : plan.slot(value);
    }

    /** Whether an operand of a task's kernel is lost, or was not computed. */
    public boolean isAnyMissing(Task task) {
        if (!task.isFused()) {
            return isAnyMissing(first(task));
        }
        for (Task.Operand operand : task.operands()) {
            if (isMissing(instruction(operand.instruction()), operand.position())) {
                return true;
            }
        }
        return false;
    }

    private boolean isAnyMissing(Instruction instruction) {
        for (int position = 0; position < instruction.operandCount(); position++) {
            if (isMissing(instruction, position)) {
                return true;
            }
        }
        return false;
    }

    private boolean isMissing(Instruction instruction, int position) {
        int slot = slot(instruction, position);
        return slot != Instruction.IMMEDIATE && !(slots[slot] instanceof Value.Present);
    }

    /**
     * The operands of a task's kernel.
     *
     * @param numbers where numbers lie that stand in instructions
     */
    public Array[] operands(Task task, Function<Scalar, Array> numbers) {
        if (!task.isFused()) {
            return operands(first(task), numbers);
        }
        Array[] operands = new Array[task.operands().size()];
        for (int position = 0; position < operands.length; position++) {
            Task.Operand operand = task.operands().get(position);
            operands[position] = operand(instruction(operand.instruction()), operand.position(), numbers);
        }
        return operands;
    }

    /** As {@link #operands(Task, Function)}, for the kernel of one instruction. */
    public Array[] operands(Instruction instruction, Function<Scalar, Array> numbers) {
        Array[] operands = new Array[instruction.operandCount()];
        for (int position = 0; position < operands.length; position++) {
            operands[position] = operand(instruction, position, numbers);
        }
        return operands;
    }

    private Array operand(Instruction instruction, int position, Function<Scalar, Array> numbers) {
        int slot = slot(instruction, position);
        return slot == Instruction.IMMEDIATE
                ? numbers.apply(instruction.immediate(position))
                : ((Value.Present) slots[slot]).array();
    }

    /** The values that are there after a task. */
    public int[] results(Task task) {
        return task.isFused() ? task.results() : results(first(task));
    }

    public static int[] results(Instruction instruction) {
        int[] results = new int[instruction.resultCount()];
        for (int position = 0; position < results.length; position++) {
            results[position] = instruction.result(position);
        }
        return results;
    }
}
