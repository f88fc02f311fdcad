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
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.session.memory.PlanMemory;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;

/** Runs instructions of one run one by one. One that fails loses its results and nothing else. Used by the worker alone. */
final class InstructionRun {
    private final SegmentRunner runner;
    private final RunValues values;
    private final RunFaults faults;
    private final PlanMemory memory;
    private final Value[] slots;
    private final boolean mayLeaveOut;
    /** Null where nobody looks on. */
    private final SegmentRun.Listener listener;

    /**
     * @param mayLeaveOut whether some values are not computed, since there is no room for what needs them
     * @param listener null where nobody looks on
     */
    InstructionRun(
            SegmentRunner runner,
            RunValues values,
            RunFaults faults,
            PlanMemory memory,
            boolean mayLeaveOut,
            SegmentRun.Listener listener) {
        this.runner = runner;
        this.values = values;
        this.faults = faults;
        this.memory = memory;
        this.slots = values.slots();
        this.mayLeaveOut = mayLeaveOut;
        this.listener = listener;
    }

    /** @param donor whose memory the first result may take, or {@link Plan#NO_DONOR} */
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
            runner.immediates().trim();
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
        KernelTimeListener kernelTimes = ran(instruction);
        if (kernelTimes != null) {
            kernelTimes.ran(runner.now() - start);
        }
        values.settle(RunValues.results(instruction), results, true);
    }

    private Value place(PlacementOp placement, Instruction instruction) throws InterruptedException {
        KernelTimeListener kernelTimes = ran(instruction);
        if (placement instanceof AsStrided view) {
            return runner.view((Value.Present) slots[values.slot(instruction, 0)], view.layout(), kernelTimes);
        }
        Value.Present placed =
                Value.Present.whole(storage(placement, instruction.resultType(0)), instruction.resultType(0));
        if (kernelTimes != null) {
            kernelTimes.ran(0);
        }
        return placed;
    }

    private RefCountedStorage storage(PlacementOp placement, TensorType type) throws InterruptedException {
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

    private void launch(Instruction instruction, Kernel kernel, int donor) throws InterruptedException {
        runner.awaitTurn();
        Value.Present[] results = new Value.Present[instruction.resultCount()];
        boolean done = false;
        try {
            for (int position = 0; position < results.length; position++) {
                results[position] =
                        values.room(instruction.result(position), position == 0 ? donor : Plan.NO_DONOR, memory);
            }
            runner.launches()
                    .one(
                            kernel,
                            instruction.op(),
                            values.operands(instruction, runner.immediates()::array),
                            RunValues.arrays(results),
                            ran(instruction));
            done = true;
        } finally {
            values.settle(RunValues.results(instruction), results, done);
        }
    }

    private KernelTimeListener ran(Instruction instruction) {
        return listener == null ? null : nanos -> listener.ran(instruction, nanos);
    }
}
