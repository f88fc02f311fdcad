package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Collective;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.plan.LaunchGroup;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.Task;
import dev.outpost.runtime.session.memory.PlanMemory;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of one launch group of a plan. It looks up the arrays of all kernels before it launches any, and releases
 * dying values only after the launch. Until then, {@link #undo} reverts the preparation.
 */
final class LaunchGroupRun {
    private static final int NUMBER_BYTES = Long.BYTES;

    private final ExchangeRunner exchangeRunner;
    private final Views views;
    private final RunValues values;
    private final Plan plan;
    private final LaunchGroup group;
    private final Value[] slots;
    private final PlanMemory memory;
    private final List<Launch> launches = new ArrayList<>();
    private final List<Integer> made = new ArrayList<>();
    private final List<Integer> dying = new ArrayList<>();
    private final byte[] numbers;
    private int numberCount;
    /** The kernel that runs exchanges; null if the group has none. */
    private Kernel exchanger;

    private Shape firstGiven;

    LaunchGroupRun(ExchangeRunner exchangeRunner, Views views, RunValues values, LaunchGroup group, PlanMemory memory) {
        this.exchangeRunner = exchangeRunner;
        this.views = views;
        this.values = values;
        this.plan = values.plan();
        this.group = group;
        this.slots = values.slots();
        this.memory = memory;
        this.numbers = new byte[group.numbers() * NUMBER_BYTES];
    }

    List<Launch> launches() {
        return launches;
    }

    /** Works like {@link #prepare}, for a group with exchanges, which the given kernel runs. */
    boolean prepareWith(Kernel exchanging) throws InterruptedException {
        exchanger = exchanging;
        return prepare();
    }

    /** Looks up the arrays of all kernels. Returns false if one is missing. Then the caller must call {@link #undo}. */
    boolean prepare() throws InterruptedException {
        for (int place = group.first(); place < group.end(); place++) {
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
        Instruction last = values.last(task);
        if (values.isAnyMissing(task)) {
            return false;
        }
        if (last.op() instanceof AsStrided view) {
            return prepareView(last, view);
        }
        Array[] operands = values.operands(task, this::number);
        if (last.op() instanceof Collective exchange) {
            return exchange(exchange, operands, results(task, place));
        }
        launches.add(
                new Launch(task.kernel(), last.op(), operands, results(task, place), group.hasKnownIndices(place)));
        return true;
    }

    /** Adds an exchange to the launches, without its number, because the number differs in each run, and the kernel does not use it. */
    private boolean exchange(Collective exchange, Array[] operands, Array[] results) throws InterruptedException {
        Shape given = operands[0].shape();
        firstGiven = firstGiven == null ? given : firstGiven;
        launches.add(new Launch(exchanger, exchange.unnumbered(), operands, results));
        return exchangeRunner.isOnDevices(exchange, given);
    }

    /** Returns the shape of the operand of its first exchange. */
    Shape firstGiven() {
        return firstGiven;
    }

    private boolean prepareView(Instruction instruction, AsStrided view) throws InterruptedException {
        Value.Present base = (Value.Present) slots[values.slot(instruction, 0)];
        boolean isDense = base.array().layout().isContiguous();
        if (isDense) {
            put(instruction.result(0), views.viewOfDense(base, view.layout()));
        }
        return isDense;
    }

    // ---- operands

    /** Stores an immediate number. It gets the same place in each run, even if its value changes. */
    private Array number(Scalar scalar) {
        byte[] bytes = ScalarConstants.littleEndian(scalar);
        System.arraycopy(bytes, 0, numbers, numberCount * NUMBER_BYTES, bytes.length);
        return memory.number(numberCount++, scalar.dtype());
    }

    // ---- results

    private Array[] results(Task task, int place) {
        int[] stored = values.results(task);
        Array[] results = new Array[stored.length];
        for (int position = 0; position < results.length; position++) {
            int donor = task.isFused() || position == 0 ? plan.donor(place, position) : Plan.NO_DONOR;
            Value.Present room = values.room(stored[position], donor, memory);
            put(stored[position], room);
            results[position] = room.array();
        }
        return results;
    }

    private void put(int value, Value.Present present) {
        slots[value] = present;
        made.add(value);
    }

    // ---- the end

    /** Releases the values that died. Called after the launch. */
    void settle() {
        for (int value : dying) {
            stay(value);
            slots[value].release();
            slots[value] = null;
        }
    }

    /** Undoes the preparation: releases the results and keeps the dying values. */
    void undo() {
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
