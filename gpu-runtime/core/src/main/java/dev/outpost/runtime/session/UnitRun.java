package dev.outpost.runtime.session;

import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.tape.Graph;
import dev.outpost.protocol.tape.Instruction;
import dev.outpost.protocol.types.Scalar;
import dev.outpost.protocol.types.TensorType;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.Task;
import dev.outpost.runtime.plan.Unit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * One run of one unit of a plan. All its kernels are known before one is launched, and whatever dies in it is given back when
 * all are: until then it can be taken back, and nothing has happened.
 */
final class UnitRun {
    private static final int NUMBER_BYTES = Long.BYTES;

    private final SegmentRunner runner;
    private final Graph graph;
    private final Plan plan;
    private final Unit unit;
    private final Value[] slots;
    private final PlanMemory memory;
    private final List<Launch> launches = new ArrayList<>();
    private final List<Integer> made = new ArrayList<>();
    private final List<Integer> dying = new ArrayList<>();
    private final Set<Storage> overwritten = Collections.newSetFromMap(new IdentityHashMap<>());
    private final byte[] numbers;
    private int numberCount;

    UnitRun(SegmentRunner runner, Graph graph, Plan plan, Unit unit, Value[] slots, PlanMemory memory) {
        this.runner = runner;
        this.graph = graph;
        this.plan = plan;
        this.unit = unit;
        this.slots = slots;
        this.memory = memory;
        this.numbers = new byte[unit.numbers() * NUMBER_BYTES];
    }

    List<Launch> launches() {
        return launches;
    }

    /** Once it is taken back: values from before the unit that its kernels write over. */
    List<Integer> overwritten() {
        return dying.stream()
                .filter(value ->
                        slots[value] instanceof Value.Present present && overwritten.contains(present.storage()))
                .toList();
    }

    /** Finds all arrays. Where the answer is no, something is missing, and this is to be taken back. */
    boolean prepare() throws InterruptedException {
        for (int place = unit.first(); place < unit.end(); place++) {
            if (!prepare(place)) {
                return false;
            }
            for (int value : plan.dyingAfter(place)) {
                if (slots[value] instanceof Value.Present present) {
                    present.storage().expectsToLose(1);
                    dying.add(value);
                }
            }
        }
        memory.writeNumbers(numbers, numberCount * NUMBER_BYTES);
        return true;
    }

    private boolean prepare(int place) throws InterruptedException {
        Task task = plan.tasks().get(place);
        int[] indices = task.instructions();
        Instruction last = graph.instructions().get(indices[indices.length - 1]);
        if (last.op() instanceof AsStrided view) {
            return look(last, view);
        }
        Array[] operands = task.isFused() ? operands(task) : operands(last);
        if (operands == null) {
            return false;
        }
        launches.add(new Launch(task.kernel(), last.op(), operands, results(task, last, place)));
        return true;
    }

    private boolean look(Instruction instruction, AsStrided view) throws InterruptedException {
        boolean isDense = slots[slot(instruction, 0)] instanceof Value.Present base
                && base.array().layout().isContiguous();
        if (isDense) {
            Value.Present base = (Value.Present) slots[slot(instruction, 0)];
            put(instruction.result(0), runner.view(base, view.layout()));
        }
        return isDense;
    }

    // ---- operands

    /** Null where one is missing. */
    private Array[] operands(Task task) {
        Array[] operands = new Array[task.operands().size()];
        for (int position = 0; position < operands.length; position++) {
            Task.Operand operand = task.operands().get(position);
            operands[position] = operand(graph.instructions().get(operand.instruction()), operand.position());
            if (operands[position] == null) {
                return null;
            }
        }
        return operands;
    }

    private Array[] operands(Instruction instruction) {
        Array[] operands = new Array[instruction.operandCount()];
        for (int position = 0; position < operands.length; position++) {
            operands[position] = operand(instruction, position);
            if (operands[position] == null) {
                return null;
            }
        }
        return operands;
    }

    private Array operand(Instruction instruction, int position) {
        int slot = slot(instruction, position);
        if (slot == Instruction.IMMEDIATE) {
            return number(instruction.immediate(position));
        }
        return slots[slot] instanceof Value.Present present ? present.array() : null;
    }

    /** Numbers lie where they lay before, though they may be others. */
    private Array number(Scalar scalar) {
        byte[] bytes = Immediates.littleEndian(scalar);
        System.arraycopy(bytes, 0, numbers, numberCount * NUMBER_BYTES, bytes.length);
        return memory.number(numberCount++, scalar.dtype());
    }

    private int slot(Instruction instruction, int position) {
        int value = instruction.operand(position);
        return value == Instruction.IMMEDIATE ? value : plan.slot(value);
    }

    // ---- results

    private Array[] results(Task task, Instruction last, int place) {
        int count = task.isFused() ? task.results().length : last.resultCount();
        Array[] results = new Array[count];
        for (int position = 0; position < count; position++) {
            int value = task.isFused() ? task.results()[position] : last.result(position);
            int donor = task.isFused() || position == 0 ? plan.donor(place, position) : Plan.NO_DONOR;
            Value.Present room = room(graph.type(value), value, donor);
            put(value, room);
            results[position] = room.array();
        }
        return results;
    }

    private Value.Present room(TensorType type, int value, int donor) {
        if (donor != Plan.NO_DONOR && slots[donor] instanceof Value.Present given && given.isAllThereIs()) {
            overwritten.add(given.storage());
            return Value.Present.whole(given.storage().retain(), type);
        }
        return Value.Present.whole(memory.allocate(type, value), type);
    }

    private void put(int value, Value.Present present) {
        slots[value] = present;
        made.add(value);
    }

    // ---- the end

    /** All is launched: what died goes. */
    void settle() {
        for (int value : dying) {
            stay(value);
            slots[value].release();
            slots[value] = null;
        }
    }

    /** As if it had never been prepared. */
    void takeBack() {
        dying.forEach(this::stay);
        for (int value : made) {
            slots[value].release();
            slots[value] = null;
        }
    }

    private void stay(int value) {
        ((Value.Present) slots[value]).storage().expectsToLose(-1);
    }
}
