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
    private MemoryDryRun dryRun;

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
        dryRun = runner.dryRun(values);
        memory = runner.memory(dryRun == null ? plan.arena() : null);
        single = new InstructionRun(runner, values, faults, memory, dryRun != null, listener);
        fused = new FusedRun(runner, values, faults, memory, single, listener);
        try {
            for (int place = 0; place < plan.tasks().size(); ) {
                runner.pause();
                LaunchGroup together = exchangingGroupAt(place);
                if (together != null && together.exchanges()) {
                    exchanges.awaitAll();
                    if (tryRunWithExchanges(together)) {
                        place = together.end();
                        continue;
                    }
                    apartUntil = together.end();
                    together = null;
                }
                LaunchGroup group = together != null || !memory.hasArena() ? together : plan.groupAt(place);
                for (int task = place;
                        !exchanges.isEmpty() && task < (group == null ? place + 1 : group.end());
                        task++) {
                    exchanges.awaitOperands(plan.tasks().get(task));
                }
                place = group != null && tryRun(group) ? group.end() : execute(place);
            }
            exchanges.awaitAll();
            exchanges.awaitGroups(plan.tasks().size());
        } finally {
            memory.close();
        }
    }

    private int execute(int place) throws InterruptedException {
        Task task = plan.tasks().get(place);
        runner.launches().begins(place);
        Instruction first = values.first(task);
        if (first.op() instanceof UpdateGuard guard) {
            exchanges.awaitGroups(place);
            updates.begin(first, guard, faultOfUpdate(first, place));
        } else if (first.op() instanceof UpdateCommit) {
            updates.commit(first);
        } else if (first.op() instanceof Collective collective) {
            exchange(task, collective);
        } else if (dryRun != null && dryRun.isRefused(place)) {
            refuse(task, place);
        } else if (dryRun != null && dryRun.isInVain(place)) {
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
        return lost == null && dryRun != null && dryRun.isRefused(place)
                ? faults.ofMemory(dryRun.asked(place), guard)
                : lost;
    }

    /** Where memory is short, exchanges run one by one. */
    private void exchange(Task task, Collective collective) throws InterruptedException {
        Instruction instruction = values.first(task);
        Fault lost = values.faultOfOperands(instruction);
        if (lost == null && dryRun != null && values.isAnyLeftOut(instruction)) {
            lost = faults.ofMemory(0, instruction);
        }
        exchanges.begin(task, collective, lost, listener == null ? null : nanos -> listener.ran(instruction, nanos));
        if (dryRun != null) {
            exchanges.awaitAll();
        }
    }

    /** The operands of the task may be lost already, or not be computed. */
    private void refuse(Task task, int place) {
        Fault fault = faults.ofMemory(dryRun.asked(place), values.last(task));
        for (int index : task.instructions()) {
            values.poison(values.instruction(index), fault);
        }
    }

    // ---- several tasks at once

    /** Where the plan's units may have exchanges; null where none begins here. */
    private LaunchGroup exchangingGroupAt(int place) {
        boolean isPossible = memory.hasArena() && place >= apartUntil && plan.exchangingGroupAt(place) != null;
        return isPossible && runner.exchanger().isPresent() ? plan.exchangingGroupAt(place) : null;
    }

    /** Whether all members have launched a unit with its exchanges. Where they have not, nothing has happened. */
    private boolean tryRunWithExchanges(LaunchGroup group) throws InterruptedException {
        Instruction last = values.last(plan.tasks().get(group.end() - 1));
        if (faults.faultIfOutOfTime(last) || group.reliesOnEarlierTasks() && values.isAnyPoisoned()) {
            return false;
        }
        LaunchGroupRun run = new LaunchGroupRun(runner, values, group, memory);
        Optional<PreparedLaunchGroup> ready = Optional.empty();
        boolean isLaunched = false;
        try {
            if (run.prepareWith(runner.exchanger().orElseThrow())) {
                runner.awaitTurn();
                ready = runner.launches().ready(group, run.launches());
            }
            if (ready.isPresent()) {
                isLaunched = tryLaunch(group, run, ready.get());
            }
        } catch (InterruptedException | MalformedException failure) {
            throw failure;
        } catch (RuntimeException problem) {
            // Alone, each of them says by itself what it is.
        } finally {
            if (!isLaunched) {
                ready.ifPresent(PreparedLaunchGroup::cancel);
                run.undo();
            }
        }
        return isLaunched;
    }

    private boolean tryLaunch(LaunchGroup group, LaunchGroupRun run, PreparedLaunchGroup ready)
            throws InterruptedException {
        int[] indices = group.exchangesAt();
        Instruction first = values.first(plan.tasks().get(indices[0]));
        Instruction last = values.first(plan.tasks().get(indices[indices.length - 1]));
        LaunchGroupOffer offer = runner.offer((Collective) first.op(), run.firstGiven(), (Collective) last.op());
        exchanges.offered(first, offer);
        if (!offer.awaitAgreement()) {
            return false;
        }
        try {
            runner.awaitTurn();
            KernelTimeListener kernelTimes = listener == null ? null : nanos -> notifyObserver(group, nanos);
            offer.launched(runner.launches().run(group, ready, run.launches().size(), kernelTimes));
        } catch (RuntimeException | Error problem) {
            // The others have launched theirs.
            offer.leave(problem);
            throw problem;
        }
        exchanges.launched(group, first, offer);
        run.settle();
        return true;
    }

    /** Whether a unit has run as one, or failed as one. Where it has not, nothing has happened. */
    private boolean tryRun(LaunchGroup group) throws InterruptedException {
        Instruction last = values.last(plan.tasks().get(group.end() - 1));
        if (faults.faultIfOutOfTime(last) || group.reliesOnEarlierTasks() && values.isAnyPoisoned()) {
            return false;
        }
        LaunchGroupRun run = new LaunchGroupRun(runner, values, group, memory);
        boolean isBegun = false;
        try {
            if (run.prepare()) {
                runner.awaitTurn();
                isBegun = true;
                KernelTimeListener kernelTimes = listener == null ? null : nanos -> notifyObserver(group, nanos);
                if (runner.launches().run(group, run.launches(), kernelTimes)) {
                    run.settle();
                    return true;
                }
            }
            run.undo();
        } catch (InterruptedException | MalformedException failure) {
            throw failure;
        } catch (Throwable problem) {
            run.undo();
            if (isBegun && !group.mayRefuse()) {
                lose(group, runner.fault(problem, last, graph));
                return true;
            }
        }
        return false;
    }

    /** Some of it may have run, over what was there before, so it cannot run again. */
    private void lose(LaunchGroup group, Fault fault) {
        for (int place = group.first(); place < group.end(); place++) {
            for (int index : plan.tasks().get(place).instructions()) {
                values.poison(values.instruction(index), fault);
            }
            values.release(plan.dyingAfter(place));
        }
    }

    private void notifyObserver(LaunchGroup group, long nanos) {
        for (int place = group.first(); place < group.end(); place++) {
            fused.notifyObserver(plan.tasks().get(place), place == group.end() - 1 ? nanos : 0);
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
