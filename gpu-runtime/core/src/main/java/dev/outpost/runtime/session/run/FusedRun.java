package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.Task;
import dev.outpost.runtime.session.memory.PlanMemory;
import dev.outpost.types.MalformedException;

/** Runs the fused tasks of one run. One kernel computes all instructions of such a task. Used by the worker thread alone. */
final class FusedRun {
    private final KernelLauncher launcher;
    private final RematerializationTable rematerializations;
    private final RunValues values;
    private final RunFaults faults;
    private final PlanMemory memory;
    private final InstructionRun single;
    private final Plan plan;
    private final Value[] slots;

    /** True once the kernel of the current task may have written memory. */
    private boolean isBegun;

    /** @param single runs the instructions one by one if their kernel cannot run */
    FusedRun(
            KernelLauncher launcher,
            RematerializationTable rematerializations,
            RunValues values,
            RunFaults faults,
            PlanMemory memory,
            InstructionRun single) {
        this.launcher = launcher;
        this.rematerializations = rematerializations;
        this.values = values;
        this.faults = faults;
        this.memory = memory;
        this.single = single;
        this.plan = values.plan();
        this.slots = values.slots();
    }

    void run(Task task, int place) throws InterruptedException {
        if (faults.faultIfOutOfTime(values.first(task)) || values.isAnyMissing(task)) {
            runUnfused(task);
            return;
        }
        try {
            launch(task, place);
        } catch (InterruptedException | MalformedException failure) {
            throw failure;
        } catch (Throwable problem) {
            // Runs them one by one, to find the instruction that failed.
            invalidateDonors(task, place, problem);
            runUnfused(task);
        } finally {
            launcher.constants().trim();
        }
    }

    /** Runs the instructions one by one, so that a fault poisons only the results that depend on it. */
    private void runUnfused(Task task) throws InterruptedException {
        for (int index : task.instructions()) {
            single.stepAlone(values.instruction(index));
        }
    }

    /** Poisons operands whose memory the failed kernel may have overwritten. */
    private void invalidateDonors(Task task, int place, Throwable problem) {
        Instruction last = values.last(task);
        for (int result = 0; isBegun && result < task.results().length; result++) {
            int donor = plan.donor(place, result);
            if (donor != Plan.NO_DONOR && slots[donor] instanceof Value.Present given && given.isAllThereIs()) {
                slots[donor].release();
                slots[donor] = new Value.Poisoned(
                        faults.record(problem, last), values.graph().type(donor));
            }
        }
    }

    private void launch(Task task, int place) throws InterruptedException {
        isBegun = false;
        launcher.awaitTurn();
        int[] stored = task.results();
        Value.Present[] results = new Value.Present[stored.length];
        // Created before buffers are reused, so that buffers that it needs are not overwritten.
        Rematerialization rematerialization =
                task.deferred().length == 0 ? null : Rematerialization.of(task, values, rematerializations);
        boolean done = false;
        try {
            for (int position = 0; position < results.length; position++) {
                results[position] = values.room(stored[position], plan.donor(place, position), memory);
            }
            Array[] operands = values.operands(task, launcher.constants()::array);
            isBegun = true;
            launcher.launch(task.kernel(), values.last(task).op(), operands, RunValues.arrays(results), null);
            done = true;
        } finally {
            values.settle(stored, results, done);
            if (rematerialization != null && done) {
                defer(task, rematerialization);
            } else if (rematerialization != null) {
                rematerialization.close();
            }
        }
    }

    private void defer(Task task, Rematerialization rematerialization) {
        int[] deferred = task.deferred();
        for (int number = 0; number < deferred.length; number++) {
            slots[deferred[number]] = rematerialization.value(number);
        }
        rematerializations.add(rematerialization);
    }
}
