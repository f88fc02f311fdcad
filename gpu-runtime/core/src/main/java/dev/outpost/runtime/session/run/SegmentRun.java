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

/**
 * One run of one segment. Invariant: each slot counts as one owner of its value, and is emptied when the value dies.
 */
final class SegmentRun {
    private final SessionContext context;
    private final KernelLauncher launcher;
    private final ExchangeRunner exchangeRunner;
    private final Views views;
    private final RematerializationTable rematerializations;
    private final Graph graph;
    private final Plan plan;
    private final Value[] slots;
    private final RunValues values;
    private final GuardedUpdates updates;
    private final RunFaults faults;
    private final RunExchanges exchanges;

    /** The simulated run that found the refused tasks; null if there is enough memory for the plan. */
    private MemoryDryRun dryRun;

    private PlanMemory memory;
    private InstructionRun single;
    private FusedRun fused;
    /** Index of the first task at which exchanges may be grouped again. Earlier ones begin one by one. */
    private int apartUntil;

    /** @param place the place of faults as text, or an empty string */
    SegmentRun(
            SessionContext context,
            KernelLauncher launcher,
            ExchangeRunner exchangeRunner,
            SessionPlans plans,
            RematerializationTable rematerializations,
            Graph graph,
            Plan plan,
            String place) {
        this.context = context;
        this.launcher = launcher;
        this.exchangeRunner = exchangeRunner;
        this.views = new Views(context.memory(), launcher, plans);
        this.rematerializations = rematerializations;
        this.graph = graph;
        this.plan = plan;
        this.slots = new Value[graph.valueCount()];
        this.values = new RunValues(graph, plan, slots);
        this.updates = new GuardedUpdates(context.faults(), values);
        this.faults = new RunFaults(context, launcher.time(), values, updates, place);
        this.exchanges = new RunExchanges(context, launcher, exchangeRunner, values, faults);
    }

    /** @param inputs the ids of the inputs */
    void takeInputs(SessionValues session, long[] inputs) {
        for (int input = 0; input < inputs.length; input++) {
            slots[input] = graph.structure().isDying(input)
                    ? session.remove(inputs[input])
                    : session.get(inputs[input]).retain();
        }
        values.release(plan.dyingAtStart());
    }

    /** Takes over an owner of each input. */
    void takeInputs(Value[] given) {
        System.arraycopy(given, 0, slots, 0, given.length);
        values.release(plan.dyingAtStart());
    }

    void execute() throws InterruptedException {
        prepare();
        try {
            for (int place = 0; place < plan.tasks().size(); ) {
                launcher.pause();
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

    private void prepare() {
        long needed = plan.memory().newBytes();
        long available = context.memory().available(needed);
        dryRun = available >= needed ? null : MemoryDryRun.of(values, available);
        memory = PlanMemory.of(context.memory(), context.engine(), dryRun == null ? plan.arena() : null);
        single = new InstructionRun(context, launcher, views, values, faults, memory, dryRun != null);
        fused = new FusedRun(launcher, rematerializations, values, faults, memory, single);
    }

    private int execute(int place) throws InterruptedException {
        Task task = plan.tasks().get(place);
        launcher.beginTask(place);
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
            // Only refused tasks would use the results of this task.
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

    /**
     * Returns why an update must not begin: an operand is poisoned, or there is no room for its results. Returns null
     * if it may begin.
     */
    private Fault faultOfUpdate(Instruction guard, int place) {
        Fault lost = values.faultOfOperands(guard);
        return lost == null && dryRun != null && dryRun.isRefused(place)
                ? faults.ofMemory(dryRun.asked(place), guard)
                : lost;
    }

    /** Begins an exchange. If memory is short, exchanges run one by one. */
    private void exchange(Task task, Collective collective) throws InterruptedException {
        Instruction instruction = values.first(task);
        Fault lost = values.faultOfOperands(instruction);
        if (lost == null && dryRun != null && values.isAnyLeftOut(instruction)) {
            lost = faults.ofMemory(0, instruction);
        }
        exchanges.begin(task, collective, lost);
        if (dryRun != null) {
            exchanges.awaitAll();
        }
    }

    /**
     * Poisons the results of a task for which memory is missing. The task's operands may be poisoned or not computed.
     */
    private void refuse(Task task, int place) {
        Fault fault = faults.ofMemory(dryRun.asked(place), values.last(task));
        for (int index : task.instructions()) {
            values.poison(values.instruction(index), fault);
        }
    }

    // ---- several tasks at once

    /** Returns the launch group that begins at this task and may contain exchanges; null if there is none. */
    private LaunchGroup exchangingGroupAt(int place) {
        boolean isPossible = memory.hasArena() && place >= apartUntil && plan.exchangingGroupAt(place) != null;
        return isPossible && exchangeRunner.exchanger().isPresent() ? plan.exchangingGroupAt(place) : null;
    }

    /**
     * Tries to launch a group with its exchanges on all members. Returns false, without any effect, if that is not
     * possible.
     */
    private boolean tryRunWithExchanges(LaunchGroup group) throws InterruptedException {
        Instruction last = values.last(plan.tasks().get(group.end() - 1));
        if (faults.faultIfOutOfTime(last) || group.reliesOnEarlierTasks() && values.isAnyPoisoned()) {
            return false;
        }
        LaunchGroupRun run = new LaunchGroupRun(exchangeRunner, views, values, group, memory);
        Optional<PreparedLaunchGroup> ready = Optional.empty();
        boolean isLaunched = false;
        try {
            if (run.prepareWith(exchangeRunner.exchanger().orElseThrow())) {
                launcher.awaitTurn();
                ready = launcher.ready(group, run.launches());
            }
            if (ready.isPresent()) {
                isLaunched = tryLaunch(group, run, ready.get());
            }
        } catch (InterruptedException | MalformedException failure) {
            throw failure;
        } catch (RuntimeException problem) {
            // The tasks run one by one instead, and the one that fails reports the problem.
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
        LaunchGroupOffer offer =
                exchangeRunner.offer((Collective) first.op(), run.firstGiven(), (Collective) last.op());
        exchanges.offered(first, offer);
        if (!offer.awaitAgreement()) {
            return false;
        }
        try {
            launcher.awaitTurn();
            offer.launched(launcher.launch(group, ready, run.launches().size()));
        } catch (RuntimeException | Error problem) {
            // The other members have launched their part.
            offer.leave(problem);
            throw problem;
        }
        exchanges.launched(group, first, offer);
        run.settle();
        return true;
    }

    /**
     * Tries to run a launch group. Returns true if the whole group ran or failed. Returns false, without any effect,
     * if the tasks have to run one by one.
     */
    private boolean tryRun(LaunchGroup group) throws InterruptedException {
        Instruction last = values.last(plan.tasks().get(group.end() - 1));
        if (faults.faultIfOutOfTime(last) || group.reliesOnEarlierTasks() && values.isAnyPoisoned()) {
            return false;
        }
        LaunchGroupRun run = new LaunchGroupRun(exchangeRunner, views, values, group, memory);
        boolean isBegun = false;
        try {
            if (run.prepare()) {
                launcher.awaitTurn();
                isBegun = true;
                if (launcher.launch(group, run.launches())) {
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
                // Some kernels may have run and overwritten their inputs, so the group cannot run again.
                values.lose(group.first(), group.end(), faults.record(problem, last));
                return true;
            }
        }
        return false;
    }

    // ---- the end

    /** @param ids the ids of the results that outlive the segment */
    void bindOutputs(SessionValues session, long[] ids) {
        Value[] outputs = values.takeOutputs();
        int output = 0;
        try {
            while (output < outputs.length) {
                session.define(ids[output], outputs[output++]);
            }
        } finally {
            // Values remain only if the session refused one of them. That value is released already. The later values
            // have no other owner.
            while (output < outputs.length) {
                outputs[output++].release();
            }
        }
    }

    /** Returns the results that outlive the segment, in the order of their computation. The caller owns them. */
    Value[] takeOutputs() {
        return values.takeOutputs();
    }

    /** Returns true if an update has begun, or was skipped. */
    boolean hasUpdated() {
        return updates.hasUpdated();
    }

    void releaseAll() {
        exchanges.releaseAll();
        for (int slot = 0; slot < slots.length; slot++) {
            values.release(slot);
        }
    }
}
