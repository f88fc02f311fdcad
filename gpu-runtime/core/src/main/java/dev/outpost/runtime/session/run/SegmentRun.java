package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.ir.Structure;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Load;
import dev.outpost.protocol.op.ModelCall;
import dev.outpost.protocol.op.ModelOpen;
import dev.outpost.protocol.op.Placement;
import dev.outpost.protocol.op.UpdateCommit;
import dev.outpost.protocol.op.UpdateGuard;
import dev.outpost.protocol.op.Upload;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.peer.Exchanged;
import dev.outpost.runtime.peer.PeerGroup;
import dev.outpost.runtime.plan.LaunchGroup;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.Task;
import dev.outpost.runtime.session.memory.PlanMemory;
import dev.outpost.runtime.session.memory.Storage;
import dev.outpost.types.IndexException;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;

/** One run of one segment. Invariant: each slot is one owner of its value, and is emptied when the value dies. */
public final class SegmentRun {
    /** Where ops that move elements by an index have it among their operands. */
    private static final int INDEX = 1;

    private final SegmentRunner runner;
    private final Graph graph;
    private final Plan plan;
    private final Value[] slots;
    private final RunValues values;
    private final Updates updates;
    private final ExchangesUnderway exchanges = new ExchangesUnderway();
    /** Null where nobody looks on. */
    private final Listener listener;

    private Fault outOfTime;
    /** Where there is less memory than the plan takes. */
    private MemoryDryRun rehearsal;

    private PlanMemory memory;
    /** Whether the kernel of the fused task at hand has begun. */
    private boolean isBegun;

    /** Hears of each instruction that did not fail. */
    @FunctionalInterface
    public interface Listener {
        void ran(Instruction instruction, long engineNanos);
    }

    /** @param listener null where nobody looks on */
    public SegmentRun(SegmentRunner runner, Graph graph, Plan plan, Listener listener) {
        this.runner = runner;
        this.listener = listener;
        this.graph = graph;
        this.plan = plan;
        this.slots = new Value[graph.valueCount()];
        this.values = new RunValues(graph, plan, slots);
        this.updates = new Updates(runner, values);
    }

    /** @param inputs the ids of what goes in */
    public void takeInputs(Values session, long[] inputs) {
        for (int input = 0; input < inputs.length; input++) {
            slots[input] = graph.structure().isDying(input)
                    ? session.remove(inputs[input])
                    : session.get(inputs[input]).retain();
        }
        release(plan.dyingAtStart());
    }

    /** Takes over an owner of each input. */
    public void takeInputs(Value[] given) {
        System.arraycopy(given, 0, slots, 0, given.length);
        release(plan.dyingAtStart());
    }

    public void execute() throws InterruptedException {
        rehearsal = runner.rehearsal(values);
        memory = runner.memory(rehearsal == null ? plan.arena() : null);
        try {
            for (int place = 0; place < plan.tasks().size(); ) {
                runner.pause();
                LaunchGroup unit = memory.hasArena() ? plan.unitAt(place) : null;
                for (int task = place; !exchanges.isEmpty() && task < (unit == null ? place + 1 : unit.end()); task++) {
                    awaitOperands(plan.tasks().get(task));
                }
                place = unit != null && hasRun(unit) ? unit.end() : execute(place);
            }
            settleExchanges();
        } finally {
            memory.close();
        }
    }

    private int execute(int place) throws InterruptedException {
        Task task = plan.tasks().get(place);
        runner.begins(place);
        Instruction first = values.first(task);
        if (first.op() instanceof UpdateGuard guard) {
            updates.begin(first, guard, faultOfUpdate(first, place));
        } else if (first.op() instanceof UpdateCommit) {
            updates.commit(first);
        } else if (first.op() instanceof Collective collective) {
            exchange(first, collective);
        } else if (rehearsal != null && rehearsal.isRefused(place)) {
            refuse(task, place);
        } else if (rehearsal != null && rehearsal.isInVain(place)) {
            // Only what is refused would need it.
        } else if (task.isFused()) {
            together(task, place);
        } else {
            step(first, task.kernel(), plan.donor(place, 0));
        }
        for (int slot : plan.dyingAfter(place)) {
            // What sends has no elements as its result, and the run goes on before the receivers come.
            if (!isSent(first, slot)) {
                settle(slot);
                release(slot);
            }
        }
        return place + 1;
    }

    /** Why an update is not to begin: an operand is lost, or there is no room for what it computes; otherwise null. */
    private Fault faultOfUpdate(Instruction guard, int place) {
        Fault lost = faultOfOperands(guard);
        return lost == null && rehearsal != null && rehearsal.isRefused(place)
                ? runner.fault(runner.outOfMemory(rehearsal.asked(place), plan), guard, graph)
                : lost;
    }

    // ---- with other machines

    /**
     * The other members wait for this one, so they are told also where it has nothing: then all of them lose the result to the
     * same fault. The run goes on while they exchange.
     */
    private void exchange(Instruction instruction, Collective collective) throws InterruptedException {
        Fault lost = faultOfOperands(instruction);
        if (lost == null && isNotComputed(instruction)) {
            lost = runner.fault(runner.outOfMemory(0, plan), instruction, graph);
        }
        Storage room = null;
        try {
            room = runner.allocate(instruction.resultType(0));
        } catch (OutpostException noRoom) {
            lost = lost == null ? fault(noRoom, instruction) : lost;
        }
        boolean isBegun = false;
        try {
            Array operand = lost != null || instruction.operandCount() == 0
                    ? null
                    : values.operands(instruction, runner.immediates()::array)[0];
            PeerGroup.Underway begun =
                    runner.exchange(collective, operand, lost, problem -> fault(problem, instruction));
            exchanges.add(
                    instruction.result(0),
                    new ExchangesUnderway.Begun(instruction, begun, room, lost, ran(instruction)));
            isBegun = true;
        } catch (InterruptedException | MalformedException endsTheSession) {
            throw endsTheSession;
        } catch (Throwable problem) {
            poison(instruction, fault(problem, instruction));
        } finally {
            runner.immediates().trim();
            if (!isBegun && room != null) {
                room.release();
            }
        }
        if (rehearsal != null) {
            settleExchanges();
        }
    }

    private static boolean isSent(Instruction instruction, int slot) {
        return instruction.op() instanceof Collective collective
                && collective.fn() == Collective.Fn.SEND
                && slot == instruction.result(0);
    }

    /** Before a task that needs what is being exchanged. */
    private void awaitOperands(Task task) throws InterruptedException {
        for (int index : task.instructions()) {
            Instruction instruction = values.instruction(index);
            for (int position = 0; position < instruction.operandCount(); position++) {
                settle(values.slot(instruction, position));
            }
        }
    }

    private void settleExchanges() throws InterruptedException {
        for (int slot : exchanges.slots()) {
            settle(slot);
        }
    }

    private void settle(int slot) throws InterruptedException {
        ExchangesUnderway.Begun begun = exchanges.remove(slot);
        if (begun == null) {
            return;
        }
        Instruction instruction = begun.instruction();
        boolean isWritten = false;
        try {
            Exchanged exchanged = runner.await(begun.exchange());
            if (exchanged.fault().isPresent()) {
                Fault heard = exchanged.fault().get();
                poison(instruction, begun.lost() != null ? begun.lost() : faultOfOther(heard, instruction));
                return;
            }
            runner.write(begun.room(), exchanged.elements());
            slots[slot] = Value.Present.whole(begun.room(), instruction.resultType(0));
            isWritten = true;
            if (begun.ran() != null) {
                begun.ran().ran(0);
            }
        } catch (InterruptedException | MalformedException endsTheSession) {
            throw endsTheSession;
        } catch (Throwable problem) {
            poison(instruction, fault(problem, instruction));
        } finally {
            if (!isWritten && begun.room() != null) {
                begun.room().release();
            }
        }
    }

    /** The fault of another member. It numbers its faults for itself. */
    private Fault faultOfOther(Fault heard, Instruction instruction) {
        return runner.fault(new OutpostException(FaultMessages.kind(heard), heard.getMessage()), instruction, graph);
    }

    // ---- several tasks at once

    /** Whether a unit has run as one, or failed as one. Where it has not, nothing has happened. */
    private boolean hasRun(LaunchGroup unit) throws InterruptedException {
        Instruction last = values.last(plan.tasks().get(unit.end() - 1));
        if (isOutOfTime(last)) {
            return false;
        }
        UnitRun run = new UnitRun(runner, values, unit, memory);
        boolean isBegun = false;
        try {
            if (run.prepare()) {
                runner.awaitTurn();
                isBegun = true;
                if (runner.launch(unit, run.launches(), listener == null ? null : nanos -> tell(unit, nanos))) {
                    run.settle();
                    return true;
                }
            }
            run.takeBack();
        } catch (InterruptedException | MalformedException endsTheSession) {
            throw endsTheSession;
        } catch (Throwable problem) {
            run.takeBack();
            if (isBegun && !unit.mayRefuse()) {
                lose(unit, runner.fault(problem, last, graph));
                return true;
            }
        }
        return false;
    }

    /** Some of it may have run, over what was there before, so it cannot run again. */
    private void lose(LaunchGroup unit, Fault fault) {
        for (int place = unit.first(); place < unit.end(); place++) {
            for (int index : plan.tasks().get(place).instructions()) {
                poison(values.instruction(index), fault);
            }
            release(plan.dyingAfter(place));
        }
    }

    private void tell(LaunchGroup unit, long nanos) {
        for (int place = unit.first(); place < unit.end(); place++) {
            tell(plan.tasks().get(place), place == unit.end() - 1 ? nanos : 0);
        }
    }

    /** Its operands may be lost already, or not be computed. */
    private void refuse(Task task, int place) {
        Instruction last = values.last(task);
        OutpostException problem = runner.outOfMemory(rehearsal.asked(place), plan);
        Fault fault = runner.fault(problem, last, graph);
        for (int index : task.instructions()) {
            poison(values.instruction(index), fault);
        }
    }

    /** @param ids of the results that outlive the segment */
    public void bindOutputs(Values session, long[] ids) {
        Value[] outputs = takeOutputs();
        int output = 0;
        try {
            while (output < outputs.length) {
                session.define(ids[output], outputs[output++]);
            }
        } finally {
            // Only where one was refused: it is gone, and those behind it have no owner any more.
            while (output < outputs.length) {
                outputs[output++].release();
            }
        }
    }

    /** A value with an owner of its own. */
    private Value taken(int value) {
        int slot = plan.slot(value);
        Value found = slots[slot];
        if (slot != value) {
            return found.retain();
        }
        slots[slot] = null;
        return found;
    }

    /** The results that outlive the segment, in the order in which they are computed; their owners are the caller's. */
    public Value[] takeOutputs() {
        Structure structure = graph.structure();
        Value[] outputs = new Value[structure.outputCount()];
        int output = outputs.length;
        // Backwards, for a value stands for later ones only: when it moves, those have had their share.
        for (int result = structure.resultCount() - 1; result >= 0; result--) {
            if (structure.isKept(result)) {
                outputs[--output] = taken(structure.inputCount() + result);
            }
        }
        return outputs;
    }

    public void releaseAll() {
        exchanges.releaseAll();
        for (int slot = 0; slot < slots.length; slot++) {
            release(slot);
        }
    }

    // ---- several instructions at once

    private void together(Task task, int place) throws InterruptedException {
        if (isOutOfTime(values.first(task)) || values.isAnyMissing(task)) {
            apart(task);
            return;
        }
        try {
            launch(task, place);
        } catch (InterruptedException | MalformedException endsTheSession) {
            throw endsTheSession;
        } catch (Throwable problem) {
            // One by one it is seen which of them it was.
            spoil(task, place, problem);
            apart(task);
        } finally {
            runner.immediates().trim();
        }
    }

    /** The same instructions one by one, so that a fault touches no more than what it should. */
    private void apart(Task task) throws InterruptedException {
        for (int index : task.instructions()) {
            Instruction instruction = values.instruction(index);
            step(instruction, runner.alone(instruction), Plan.NO_DONOR);
        }
    }

    /** A value that a kernel may have written over before it failed is not there any more. */
    private void spoil(Task task, int place, Throwable problem) {
        Instruction last = values.last(task);
        for (int result = 0; isBegun && result < task.results().length; result++) {
            int donor = plan.donor(place, result);
            if (donor != Plan.NO_DONOR && slots[donor] instanceof Value.Present given && given.isAllThereIs()) {
                slots[donor].release();
                slots[donor] = new Value.Poisoned(runner.fault(problem, last, graph), graph.type(donor));
            }
        }
    }

    private void launch(Task task, int place) throws InterruptedException {
        isBegun = false;
        runner.awaitTurn();
        int[] stored = task.results();
        Value.Present[] results = new Value.Present[stored.length];
        // Before it is seen who may write over what: what the recipe holds stays.
        Rematerialization recipe =
                task.deferred().length == 0 ? null : Rematerialization.of(task, values, runner.recipes());
        boolean done = false;
        try {
            for (int position = 0; position < results.length; position++) {
                results[position] = room(stored[position], plan.donor(place, position));
            }
            Array[] operands = values.operands(task, runner.immediates()::array);
            Instruction last = values.last(task);
            isBegun = true;
            runner.launch(
                    task.kernel(),
                    last.op(),
                    operands,
                    arrays(results),
                    listener == null ? null : nanos -> tell(task, nanos));
            done = true;
        } finally {
            settle(stored, results, done);
            if (recipe != null && done) {
                defer(task, recipe);
            } else if (recipe != null) {
                recipe.close();
            }
        }
    }

    private void defer(Task task, Rematerialization recipe) {
        int[] deferred = task.deferred();
        for (int number = 0; number < deferred.length; number++) {
            slots[deferred[number]] = recipe.value(number);
        }
        runner.recipes().add(recipe);
    }

    /** A watcher is shown each instruction; the time is the last one's. */
    private void tell(Task task, long nanos) {
        int last = task.instructions().length - 1;
        for (int place = 0; place <= last; place++) {
            listener.ran(values.instruction(task.instructions()[place]), place == last ? nanos : 0);
        }
    }

    // ---- one instruction

    private void step(Instruction instruction, Kernel kernel, int donor) throws InterruptedException {
        Fault lost = isOutOfTime(instruction) ? outOfTime : faultOfOperands(instruction);
        if (lost != null) {
            poison(instruction, lost);
            return;
        }
        if (isNotComputed(instruction)) {
            return;
        }
        try {
            compute(instruction, kernel, donor);
        } catch (InterruptedException | MalformedException endsTheSession) {
            throw endsTheSession;
        } catch (Throwable problem) {
            poison(instruction, fault(problem, instruction));
        } finally {
            runner.immediates().trim();
        }
    }

    /**
     * Instructions that only place elements go on: an upload must be taken, or it would stay where it is. So does an
     * update that has begun.
     */
    private boolean isOutOfTime(Instruction instruction) {
        boolean isPlaced = instruction.op() instanceof Placement && !(instruction.op() instanceof ModelCall);
        if (isPlaced || updates.isAnyOpen()) {
            return false;
        }
        if (outOfTime == null && runner.time().isOver()) {
            outOfTime = runner.fault(runner.time().refusal(), instruction, graph);
        }
        return outOfTime != null;
    }

    private Fault fault(Throwable problem, Instruction instruction) {
        if (problem instanceof IndexException refused
                && slots[values.slot(instruction, INDEX)] instanceof Value.Present index) {
            boolean isRead = instruction.op() instanceof Gather || instruction.op() instanceof IndexSelect;
            return runner.indexFaults()
                    .of(
                            index.storage(),
                            refused,
                            this,
                            isRead,
                            instruction.index(),
                            () -> runner.fault(problem, instruction, graph),
                            this::supersede);
        }
        return runner.fault(problem, instruction, graph);
    }

    private void supersede(Fault later, Fault earlier) {
        runner.replaced(later);
        for (int slot = 0; slot < slots.length; slot++) {
            if (slots[slot] instanceof Value.Poisoned poisoned && poisoned.fault() == later) {
                slots[slot] = new Value.Poisoned(earlier, poisoned.type());
            }
        }
    }

    private Fault faultOfOperands(Instruction instruction) {
        for (int position = 0; position < instruction.operandCount(); position++) {
            int operand = values.slot(instruction, position);
            if (operand != Instruction.IMMEDIATE && slots[operand] instanceof Value.Poisoned poisoned) {
                return poisoned.fault();
            }
        }
        return null;
    }

    /** Whether it needs what was left out, since all that needs it in turn is refused. */
    private boolean isNotComputed(Instruction instruction) {
        for (int position = 0; rehearsal != null && position < instruction.operandCount(); position++) {
            int operand = values.slot(instruction, position);
            if (operand != Instruction.IMMEDIATE && slots[operand] == null) {
                return true;
            }
        }
        return false;
    }

    private void poison(Instruction instruction, Fault fault) {
        for (int position = 0; position < instruction.resultCount(); position++) {
            slots[instruction.result(position)] = new Value.Poisoned(fault, instruction.resultType(position));
        }
    }

    private void compute(Instruction instruction, Kernel kernel, int donor) throws InterruptedException {
        if (instruction.op() instanceof ModelOpen || instruction.op() instanceof ModelCall) {
            runModel(instruction);
        } else if (instruction.op() instanceof Placement placement) {
            slots[instruction.result(0)] = place(placement, instruction);
        } else {
            launch(instruction, kernel, donor);
        }
    }

    /** Another library opens or runs a model; its results are all there, or none is. */
    private void runModel(Instruction instruction) throws InterruptedException {
        runner.awaitTurn();
        Value.Present[] operands = new Value.Present[instruction.operandCount()];
        for (int position = 0; position < operands.length; position++) {
            int slot = values.slot(instruction, position);
            if (slot == Instruction.IMMEDIATE) {
                throw new OpException(instruction.op().label(), "expected values on the machine, got a number");
            }
            operands[position] = (Value.Present) slots[slot];
        }
        long start = runner.now();
        Value.Present[] results = runner.runModel(instruction.op(), operands);
        RanListener ran = ran(instruction);
        if (ran != null) {
            ran.ran(runner.now() - start);
        }
        for (int position = 0; position < results.length; position++) {
            slots[instruction.result(position)] = results[position];
        }
    }

    private Value place(Placement placement, Instruction instruction) throws InterruptedException {
        RanListener ran = ran(instruction);
        if (placement instanceof AsStrided view) {
            return runner.view((Value.Present) slots[values.slot(instruction, 0)], view.layout(), ran);
        }
        Value.Present placed =
                Value.Present.whole(memory(placement, instruction.resultType(0)), instruction.resultType(0));
        if (ran != null) {
            ran.ran(0);
        }
        return placed;
    }

    private Storage memory(Placement placement, TensorType type) throws InterruptedException {
        return switch (placement) {
            case Literal literal -> runner.literal(type, literal.elements());
            case Upload upload -> runner.upload(upload.upload(), type);
            case Load load -> runner.load(load);
            case AsStrided _ -> throw new IllegalStateException("a view has its base's memory");
            case Collective _ ->
                throw new IllegalStateException("an exchange is begun whatever has become of its operand");
            case ModelOpen _, ModelCall _ -> throw new IllegalStateException("a model brings its own memory");
            case UpdateGuard _, UpdateCommit _ -> throw new IllegalStateException("an update defines several values");
        };
    }

    /** Where a result goes: into the memory of an operand that dies, if nobody else has that, or into memory of its own. */
    private Value.Present room(int value, int donor) {
        TensorType type = graph.type(value);
        boolean isGiven = donor != Plan.NO_DONOR && slots[donor] instanceof Value.Present given && given.isAllThereIs();
        Storage storage = isGiven ? ((Value.Present) slots[donor]).storage().retain() : memory.allocate(type, value);
        return Value.Present.whole(storage, type);
    }

    private void launch(Instruction instruction, Kernel kernel, int donor) throws InterruptedException {
        runner.awaitTurn();
        Value.Present[] results = new Value.Present[instruction.resultCount()];
        boolean done = false;
        try {
            for (int position = 0; position < results.length; position++) {
                results[position] = room(instruction.result(position), position == 0 ? donor : Plan.NO_DONOR);
            }
            runner.launchOne(
                    kernel,
                    instruction.op(),
                    values.operands(instruction, runner.immediates()::array),
                    arrays(results),
                    ran(instruction));
            done = true;
        } finally {
            for (int position = 0; position < results.length; position++) {
                settle(instruction.result(position), results[position], done);
            }
        }
    }

    private RanListener ran(Instruction instruction) {
        return listener == null ? null : nanos -> listener.ran(instruction, nanos);
    }

    private void settle(int[] made, Value.Present[] results, boolean done) {
        for (int position = 0; position < results.length; position++) {
            settle(made[position], results[position], done);
        }
    }

    /** A result that is complete goes to its slot, another back to memory. */
    private void settle(int slot, Value.Present result, boolean done) {
        if (done) {
            slots[slot] = result;
        } else if (result != null) {
            result.release();
        }
    }

    private static Array[] arrays(Value.Present[] values) {
        Array[] arrays = new Array[values.length];
        for (int position = 0; position < arrays.length; position++) {
            arrays[position] = values[position].array();
        }
        return arrays;
    }

    private void release(int[] dead) {
        for (int slot : dead) {
            release(slot);
        }
    }

    private void release(int slot) {
        if (slots[slot] != null) {
            slots[slot].release();
            slots[slot] = null;
        }
    }
}
