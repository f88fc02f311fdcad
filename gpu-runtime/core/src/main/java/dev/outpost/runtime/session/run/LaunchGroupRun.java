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
 * One run of one unit of a plan. All its kernels are known before one is launched, and whatever dies in it is given back when
 * all are: until then it can be taken back, and nothing has happened.
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
    /** Null where the unit has no exchanges. */
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

    /** As {@link #prepare}, of a unit with exchanges, by that kernel. */
    boolean prepareWith(Kernel exchanging) throws InterruptedException {
        exchanger = exchanging;
        return prepare();
    }

    /** Finds all arrays. Where the answer is no, something is missing, and this is to be taken back. */
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

    /** The exchange's number is another one in each run, and the kernel has no use for it. */
    private boolean exchange(Collective exchange, Array[] operands, Array[] results) throws InterruptedException {
        Shape given = operands[0].shape();
        firstGiven = firstGiven == null ? given : firstGiven;
        launches.add(new Launch(exchanger, exchange.unnumbered(), operands, results));
        return exchangeRunner.isOnDevices(exchange, given);
    }

    /** The shape of what goes into its first exchange. */
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

    /** Numbers lie where they lay before, though they may be others. */
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

    /** All is launched: what died goes. */
    void settle() {
        for (int value : dying) {
            stay(value);
            slots[value].release();
            slots[value] = null;
        }
    }

    /** As if it had never been prepared. */
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
