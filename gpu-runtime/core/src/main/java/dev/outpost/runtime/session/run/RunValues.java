package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.ir.Structure;
import dev.outpost.protocol.message.Fault;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.Task;
import dev.outpost.runtime.session.memory.PlanMemory;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.types.Scalar;
import dev.outpost.types.TensorType;
import java.util.function.Function;

/** The values of one run by slot. Also returns the operands and results of a plan's tasks. */
public final class RunValues {
    private final Graph graph;
    private final Plan plan;
    private final Value[] slots;
    private boolean isAnyPoisoned;

    RunValues(Graph graph, Plan plan, Value[] slots) {
        this.graph = graph;
        this.plan = plan;
        this.slots = slots;
    }

    public Graph graph() {
        return graph;
    }

    public Plan plan() {
        return plan;
    }

    /** Returns the values by slot. */
    public Value[] slots() {
        return slots;
    }

    public Instruction instruction(int index) {
        return graph.instructions().get(index);
    }

    public Instruction first(Task task) {
        return instruction(task.instructions()[0]);
    }

    public Instruction last(Task task) {
        return instruction(task.instructions()[task.instructions().length - 1]);
    }

    /** Returns the slot of an operand, or {@link Instruction#IMMEDIATE}. */
    public int slot(Instruction instruction, int position) {
        int value = instruction.operand(position);
        return value == Instruction.IMMEDIATE ? value : plan.slot(value);
    }

    /** Returns true if an operand of a task's kernel is poisoned or was not computed. */
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
     * Returns the operands of a task's kernel.
     *
     * @param numbers returns an array for an immediate number of an instruction
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

    /** Works like {@link #operands(Task, Function)}, for the kernel of one instruction. */
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

    /** Returns the values that a task stores. */
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

    /** Returns the fault of a poisoned operand; null if none is poisoned. */
    public Fault faultOfOperands(Instruction instruction) {
        for (int position = 0; position < instruction.operandCount(); position++) {
            int operand = slot(instruction, position);
            if (operand != Instruction.IMMEDIATE && slots[operand] instanceof Value.Poisoned poisoned) {
                return poisoned.fault();
            }
        }
        return null;
    }

    /** Returns true if an operand was not computed because all tasks that use it are refused. */
    public boolean isAnyLeftOut(Instruction instruction) {
        for (int position = 0; position < instruction.operandCount(); position++) {
            int operand = slot(instruction, position);
            if (operand != Instruction.IMMEDIATE && slots[operand] == null) {
                return true;
            }
        }
        return false;
    }

    // ---- results

    /** Returns memory for a result: the memory of a dying operand if no other owner uses it, otherwise new memory. */
    public Value.Present room(int value, int donor, PlanMemory memory) {
        TensorType type = graph.type(value);
        boolean isGiven = donor != Plan.NO_DONOR && slots[donor] instanceof Value.Present given && given.isAllThereIs();
        RefCountedStorage storage =
                isGiven ? ((Value.Present) slots[donor]).storage().retain() : memory.allocate(type, value);
        return Value.Present.whole(storage, type);
    }

    /** Stores complete results in their slots, and releases incomplete ones. */
    public void settle(int[] made, Value.Present[] results, boolean done) {
        for (int position = 0; position < results.length; position++) {
            if (done) {
                slots[made[position]] = results[position];
            } else if (results[position] != null) {
                results[position].release();
            }
        }
    }

    /** Returns true if an instruction of this run has failed. */
    boolean isAnyPoisoned() {
        return isAnyPoisoned;
    }

    /** Poisons all results of an instruction with a fault. */
    public void poison(Instruction instruction, Fault fault) {
        isAnyPoisoned = true;
        for (int position = 0; position < instruction.resultCount(); position++) {
            slots[instruction.result(position)] = new Value.Poisoned(fault, instruction.resultType(position));
        }
    }

    /** Poisons all results of some tasks with a fault, and releases the values that die after these tasks. */
    void lose(int firstTask, int endTask, Fault fault) {
        for (int task = firstTask; task < endTask; task++) {
            for (int index : plan.tasks().get(task).instructions()) {
                release(results(instruction(index)));
                poison(instruction(index), fault);
            }
        }
        for (int task = firstTask; task < endTask; task++) {
            release(plan.dyingAfter(task));
        }
    }

    /** Returns the results that outlive the segment, in the order of their computation. The caller owns them. */
    public Value[] takeOutputs() {
        Structure structure = graph.structure();
        Value[] outputs = new Value[structure.outputCount()];
        int output = outputs.length;
        // Backwards, because a value can only be an alias of an earlier value, which is handed over after its aliases
        // have their own owners.
        for (int result = structure.resultCount() - 1; result >= 0; result--) {
            if (structure.isKept(result)) {
                outputs[--output] = taken(structure.inputCount() + result);
            }
        }
        return outputs;
    }

    /** Returns a value with an additional owner. */
    private Value taken(int value) {
        int slot = plan.slot(value);
        Value found = slots[slot];
        if (slot != value) {
            return found.retain();
        }
        slots[slot] = null;
        return found;
    }

    public void release(int[] dead) {
        for (int slot : dead) {
            release(slot);
        }
    }

    public void release(int slot) {
        if (slots[slot] != null) {
            slots[slot].release();
            slots[slot] = null;
        }
    }

    static Array[] arrays(Value.Present[] values) {
        Array[] arrays = new Array[values.length];
        for (int position = 0; position < arrays.length; position++) {
            arrays[position] = values[position].array();
        }
        return arrays;
    }
}
