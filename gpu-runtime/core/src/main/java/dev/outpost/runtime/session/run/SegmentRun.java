package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.UpdateCommit;
import dev.outpost.protocol.op.UpdateGuard;
import dev.outpost.runtime.engine.PreparedLaunchGroup;
import dev.outpost.runtime.peer.LaunchGroupOffer;
import dev.outpost.runtime.plan.LaunchGroup;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.Task;
import dev.outpost.runtime.session.memory.PlanMemory;
import dev.outpost.types.MalformedException;
import java.util.Optional;

/** One run of one segment. Invariant: each slot is one owner of its value, and is emptied when the value dies. */
public final class SegmentRun {
    private final SegmentRunner runner;
    private final Graph graph;
    private final Plan plan;
    private final Value[] slots;
    private final RunValues values;
    private final GuardedUpdates updates;
    private final RunFaults faults;
    private final RunExchanges exchanges;
    /** Null where nobody looks on. */
    private final Listener listener;

    /** Where there is less memory than the plan takes. */
    private MemoryDryRun rehearsal;

    private PlanMemory memory;
    private InstructionRun single;
    private FusedRun fused;
    /** The place up to which exchanges are begun one by one. */
    private int apartUntil;

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
        this.updates = new GuardedUpdates(runner, values);
        this.faults = new RunFaults(runner, values, updates);
        this.exchanges = new RunExchanges(runner, values, faults);
    }

    /** @param inputs the ids of what goes in */
    public void takeInputs(SessionValues session, long[] inputs) {
        for (int input = 0; input < inputs.length; input++) {
            slots[input] = graph.structure().isDying(input)
                    ? session.remove(inputs[input])
                    : session.get(inputs[input]).retain();
        }
        values.release(plan.dyingAtStart());
    }

    /** Takes over an owner of each input. */
    public void takeInputs(Value[] given) {
        System.arraycopy(given, 0, slots, 0, given.length);
        values.release(plan.dyingAtStart());
    }

    public void execute() throws InterruptedException {
        rehearsal = runner.rehearsal(values);
        memory = runner.memory(rehearsal == null ? plan.arena() : null);
        single = new InstructionRun(runner, values, faults, memory, rehearsal != null, listener);
        fused = new FusedRun(runner, values, faults, memory, single, listener);
        try {
            for (int place = 0; place < plan.tasks().size(); ) {
                runner.pause();
                LaunchGroup together = exchangingUnitAt(place);
                if (together != null && together.exchanges()) {
                    exchanges.awaitAll();
                    if (hasRunTogether(together)) {
                        place = together.end();
                        continue;
                    }
                    apartUntil = together.end();
                    together = null;
                }
                LaunchGroup unit = together != null || !memory.hasArena() ? together : plan.unitAt(place);
                for (int task = place; !exchanges.isEmpty() && task < (unit == null ? place + 1 : unit.end()); task++) {
                    exchanges.awaitOperands(plan.tasks().get(task));
                }
                place = unit != null && hasRun(unit) ? unit.end() : execute(place);
            }
            exchanges.awaitAll();
            exchanges.awaitUnits(plan.tasks().size());
        } finally {
            memory.close();
        }
    }

    private int execute(int place) throws InterruptedException {
        Task task = plan.tasks().get(place);
        runner.launches().begins(place);
        Instruction first = values.first(task);
        if (first.op() instanceof UpdateGuard guard) {
            exchanges.awaitUnits(place);
            updates.begin(first, guard, faultOfUpdate(first, place));
        } else if (first.op() instanceof UpdateCommit) {
            updates.commit(first);
        } else if (first.op() instanceof Collective collective) {
            exchange(task, collective);
        } else if (rehearsal != null && rehearsal.isRefused(place)) {
            refuse(task, place);
        } else if (rehearsal != null && rehearsal.isInVain(place)) {
            // Only what is refused would need it.
        } else if (task.isFused()) {
            fused.run(task, place);
        } else {
            single.step(first, task.kernel(), plan.donor(place, 0));
        }
        if (!exchanges.isEmpty()) {
            exchanges.await(plan.dyingAfter(place));
        }
        values.release(plan.dyingAfter(place));
        return place + 1;
    }

    /** Why an update is not to begin: an operand is lost, or there is no room for what it computes; otherwise null. */
    private Fault faultOfUpdate(Instruction guard, int place) {
        Fault lost = values.faultOfOperands(guard);
        return lost == null && rehearsal != null && rehearsal.isRefused(place)
                ? faults.ofMemory(rehearsal.asked(place), guard)
                : lost;
    }

    /** Where memory is short, exchanges run one by one. */
    private void exchange(Task task, Collective collective) throws InterruptedException {
        Instruction instruction = values.first(task);
        Fault lost = values.faultOfOperands(instruction);
        if (lost == null && rehearsal != null && values.isAnyLeftOut(instruction)) {
            lost = faults.ofMemory(0, instruction);
        }
        exchanges.begin(task, collective, lost, listener == null ? null : nanos -> listener.ran(instruction, nanos));
        if (rehearsal != null) {
            exchanges.awaitAll();
        }
    }

    /** The operands of the task may be lost already, or not be computed. */
    private void refuse(Task task, int place) {
        Fault fault = faults.ofMemory(rehearsal.asked(place), values.last(task));
        for (int index : task.instructions()) {
            values.poison(values.instruction(index), fault);
        }
    }

    // ---- several tasks at once

    /** Where the plan's units may have exchanges; null where none begins here. */
    private LaunchGroup exchangingUnitAt(int place) {
        boolean isPossible = memory.hasArena() && place >= apartUntil && plan.exchangingUnitAt(place) != null;
        return isPossible && runner.exchanger().isPresent() ? plan.exchangingUnitAt(place) : null;
    }

    /** Whether all members have launched a unit with its exchanges. Where they have not, nothing has happened. */
    private boolean hasRunTogether(LaunchGroup unit) throws InterruptedException {
        Instruction last = values.last(plan.tasks().get(unit.end() - 1));
        if (faults.isOutOfTime(last) || unit.reliesOnEarlierTasks() && values.isAnyPoisoned()) {
            return false;
        }
        LaunchGroupRun run = new LaunchGroupRun(runner, values, unit, memory);
        Optional<PreparedLaunchGroup> ready = Optional.empty();
        boolean isLaunched = false;
        try {
            if (run.prepareWith(runner.exchanger().orElseThrow())) {
                runner.awaitTurn();
                ready = runner.launches().ready(unit, run.launches());
            }
            if (ready.isPresent()) {
                isLaunched = hasLaunched(unit, run, ready.get());
            }
        } catch (InterruptedException | MalformedException endsTheSession) {
            throw endsTheSession;
        } catch (RuntimeException problem) {
            // Alone, each of them says by itself what it is.
        } finally {
            if (!isLaunched) {
                ready.ifPresent(PreparedLaunchGroup::cancel);
                run.takeBack();
            }
        }
        return isLaunched;
    }

    private boolean hasLaunched(LaunchGroup unit, LaunchGroupRun run, PreparedLaunchGroup ready) throws InterruptedException {
        int[] places = unit.exchangesAt();
        Instruction first = values.first(plan.tasks().get(places[0]));
        Instruction last = values.first(plan.tasks().get(places[places.length - 1]));
        LaunchGroupOffer offer = runner.offer((Collective) first.op(), run.firstGiven(), (Collective) last.op());
        exchanges.offered(first, offer);
        if (!offer.isAgreed()) {
            return false;
        }
        try {
            runner.awaitTurn();
            KernelTimeListener ran = listener == null ? null : nanos -> tell(unit, nanos);
            offer.launched(runner.launches().run(unit, ready, run.launches().size(), ran));
        } catch (RuntimeException | Error problem) {
            // The others have launched theirs.
            offer.leave(problem);
            throw problem;
        }
        exchanges.launched(unit, first, offer);
        run.settle();
        return true;
    }

    /** Whether a unit has run as one, or failed as one. Where it has not, nothing has happened. */
    private boolean hasRun(LaunchGroup unit) throws InterruptedException {
        Instruction last = values.last(plan.tasks().get(unit.end() - 1));
        if (faults.isOutOfTime(last) || unit.reliesOnEarlierTasks() && values.isAnyPoisoned()) {
            return false;
        }
        LaunchGroupRun run = new LaunchGroupRun(runner, values, unit, memory);
        boolean isBegun = false;
        try {
            if (run.prepare()) {
                runner.awaitTurn();
                isBegun = true;
                KernelTimeListener ran = listener == null ? null : nanos -> tell(unit, nanos);
                if (runner.launches().run(unit, run.launches(), ran)) {
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
                values.poison(values.instruction(index), fault);
            }
            values.release(plan.dyingAfter(place));
        }
    }

    private void tell(LaunchGroup unit, long nanos) {
        for (int place = unit.first(); place < unit.end(); place++) {
            fused.tell(plan.tasks().get(place), place == unit.end() - 1 ? nanos : 0);
        }
    }

    // ---- the end

    /** @param ids of the results that outlive the segment */
    public void bindOutputs(SessionValues session, long[] ids) {
        Value[] outputs = values.takeOutputs();
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

    /** The results that outlive the segment, in the order in which they are computed; their owners are the caller's. */
    public Value[] takeOutputs() {
        return values.takeOutputs();
    }

    public void releaseAll() {
        exchanges.releaseAll();
        for (int slot = 0; slot < slots.length; slot++) {
            values.release(slot);
        }
    }
}
