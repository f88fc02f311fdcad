package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Load;
import dev.outpost.protocol.op.ModelCall;
import dev.outpost.protocol.op.ModelOpen;
import dev.outpost.protocol.op.PlacementOp;
import dev.outpost.protocol.op.UpdateCommit;
import dev.outpost.protocol.op.UpdateGuard;
import dev.outpost.protocol.op.Upload;
import dev.outpost.runtime.engine.Kernel;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.session.memory.PlanMemory;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;

/**
 * Runs single instructions of one run. If an instruction fails, only its own results are lost. Used by the worker
 * thread alone.
 */
final class InstructionRun {
    private final SessionContext context;
    private final KernelLauncher launcher;
    private final Views views;
    private final RunValues values;
    private final RunFaults faults;
    private final PlanMemory memory;
    private final Value[] slots;
    private final boolean mayLeaveOut;

    /**
     * @param mayLeaveOut true if values may be missing, because there is too little memory for the instructions that
     *     need them
     */
    InstructionRun(
            SessionContext context,
            KernelLauncher launcher,
            Views views,
            RunValues values,
            RunFaults faults,
            PlanMemory memory,
            boolean mayLeaveOut) {
        this.context = context;
        this.launcher = launcher;
        this.views = views;
        this.values = values;
        this.faults = faults;
        this.memory = memory;
        this.slots = values.slots();
        this.mayLeaveOut = mayLeaveOut;
    }

    /** Runs one instruction of a fused task with a separate kernel. */
    void stepAlone(Instruction instruction) throws InterruptedException {
        Kernel kernel =
                (op, operands, results) -> context.engine().compile(instruction).run(op, operands, results);
        step(instruction, kernel, Plan.NO_DONOR);
    }

    /** @param donor the slot of the operand whose memory the first result may reuse, or {@link Plan#NO_DONOR} */
    void step(Instruction instruction, Kernel kernel, int donor) throws InterruptedException {
        Fault lost = faults.faultIfOutOfTime(instruction) ? faults.outOfTime() : values.faultOfOperands(instruction);
        if (lost != null) {
            values.poison(instruction, lost);
            return;
        }
        if (mayLeaveOut && values.isAnyLeftOut(instruction)) {
            return;
        }
        try {
            compute(instruction, kernel, donor);
        } catch (InterruptedException | MalformedException failure) {
            throw failure;
        } catch (Throwable problem) {
            values.poison(instruction, faults.of(problem, instruction));
        } finally {
            launcher.constants().trim();
        }
    }

    private void compute(Instruction instruction, Kernel kernel, int donor) throws InterruptedException {
        if (instruction.op() instanceof ModelOpen || instruction.op() instanceof ModelCall) {
            runModel(instruction);
        } else if (instruction.op() instanceof PlacementOp placement) {
            slots[instruction.result(0)] = place(placement, instruction);
        } else {
            launch(instruction, kernel, donor);
        }
    }

    /** Opens or runs a model by another library. Either all results are stored or none. */
    private void runModel(Instruction instruction) throws InterruptedException {
        launcher.awaitTurn();
        Value.Present[] operands = new Value.Present[instruction.operandCount()];
        for (int position = 0; position < operands.length; position++) {
            int slot = values.slot(instruction, position);
            if (slot == Instruction.IMMEDIATE) {
                throw new OpException(instruction.op().label(), "expected values on the machine, got a number");
            }
            operands[position] = (Value.Present) slots[slot];
        }
        values.settle(RunValues.results(instruction), launcher.runModel(instruction, operands), true);
    }

    private Value place(PlacementOp placement, Instruction instruction) throws InterruptedException {
        if (placement instanceof AsStrided view) {
            return views.view(instruction, (Value.Present) slots[values.slot(instruction, 0)], view.layout());
        }
        Value.Present placed =
                Value.Present.whole(storage(placement, instruction.resultType(0)), instruction.resultType(0));
        launcher.observer().ranAlone(instruction, 0);
        return placed;
    }

    private RefCountedStorage storage(PlacementOp placement, TensorType type) throws InterruptedException {
        return switch (placement) {
            case Literal literal -> context.memory().store(type, literal.elements());
            case Upload upload -> context.uploads().take(upload.upload(), type, context.slice()::release);
            case Load load -> context.loads().take(load, context.slice()::release);
            case AsStrided _ -> throw new IllegalStateException("a view has its base's memory");
            case Collective _ -> throw new IllegalStateException("an exchange begins even if its operand has failed");
            case ModelOpen _, ModelCall _ -> throw new IllegalStateException("a model brings its own memory");
            case UpdateGuard _, UpdateCommit _ -> throw new IllegalStateException("an update defines several values");
        };
    }

    private void launch(Instruction instruction, Kernel kernel, int donor) throws InterruptedException {
        launcher.awaitTurn();
        Value.Present[] results = new Value.Present[instruction.resultCount()];
        boolean done = false;
        try {
            for (int position = 0; position < results.length; position++) {
                results[position] =
                        values.room(instruction.result(position), position == 0 ? donor : Plan.NO_DONOR, memory);
            }
            Array[] operands = values.operands(instruction, launcher.constants()::array);
            launcher.launch(kernel, instruction, operands, RunValues.arrays(results));
            done = true;
        } finally {
            values.settle(RunValues.results(instruction), results, done);
        }
    }
}
