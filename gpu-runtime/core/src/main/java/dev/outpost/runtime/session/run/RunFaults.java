package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.ModelCall;
import dev.outpost.protocol.op.PlacementOp;
import dev.outpost.runtime.session.context.Faults;
import dev.outpost.runtime.session.memory.IndexFaults;
import dev.outpost.runtime.session.memory.SessionMemory;
import dev.outpost.types.IndexException;

/**
 * Creates the faults of one run. They belong to instructions that fail, and to instructions that do not run because the segment's time is
 * over. Used by the worker thread alone.
 */
final class RunFaults {
    /** The operand position of the index in ops that move elements by an index. */
    private static final int INDEX = 1;

    private final Faults faults;
    private final IndexFaults indexFaults;
    private final SegmentTime time;
    private final SessionMemory memory;
    private final String place;
    private final RunValues values;
    private final Graph graph;
    private final Value[] slots;
    private final GuardedUpdates updates;

    private Fault outOfTime;

    /** @param place the place of the faults as text, or an empty string */
    RunFaults(SessionContext context, SegmentTime time, RunValues values, GuardedUpdates updates, String place) {
        this.faults = context.faults();
        this.indexFaults = context.indexFaults();
        this.memory = context.memory();
        this.time = time;
        this.place = place;
        this.values = values;
        this.graph = values.graph();
        this.slots = values.slots();
        this.updates = updates;
    }

    /**
     * Returns the fault of an instruction that failed. All instructions that use the same out-of-range index share
     * one fault.
     */
    Fault of(Throwable problem, Instruction instruction) {
        if (problem instanceof IndexException refused
                && slots[values.slot(instruction, INDEX)] instanceof Value.Present index) {
            boolean isRead = instruction.op() instanceof Gather || instruction.op() instanceof IndexSelect;
            return indexFaults.of(
                    index.storage(),
                    refused,
                    this,
                    isRead,
                    instruction.index(),
                    () -> record(problem, instruction),
                    this::supersede);
        }
        return record(problem, instruction);
    }

    /** Works like {@link #of}, for failures that no index operand caused. */
    Fault record(Throwable problem, Instruction instruction) {
        return faults.record(problem, instruction, place, graph.source(instruction.index()));
    }

    private void supersede(Fault later, Fault earlier) {
        faults.replaced(later);
        for (int slot = 0; slot < slots.length; slot++) {
            if (slots[slot] instanceof Value.Poisoned poisoned && poisoned.fault() == later) {
                slots[slot] = new Value.Poisoned(earlier, poisoned.type());
            }
        }
    }

    /**
     * Records the fault of another member under a number of this session, because each member numbers its own faults.
     */
    Fault ofOther(Fault heard, Instruction instruction) {
        return record(FaultMessages.exception(heard), instruction);
    }

    /** Returns the fault of an instruction whose result does not fit into memory. */
    Fault ofMemory(long asked, Instruction instruction) {
        return record(memory.outOfMemory(asked, values.plan().memory().newBytes()), instruction);
    }

    /** Returns the fault of the segment's time limit; null if the time is not over. */
    Fault outOfTime() {
        return outOfTime;
    }

    /**
     * Returns true if the time is over, so the instruction must not run. Instructions that only place elements run
     * anyway, because an upload would otherwise keep its memory. An update that has begun also runs to its end.
     */
    boolean faultIfOutOfTime(Instruction instruction) {
        boolean isPlaced = instruction.op() instanceof PlacementOp && !(instruction.op() instanceof ModelCall);
        if (isPlaced || updates.isAnyOpen()) {
            return false;
        }
        if (outOfTime == null && time.isOver()) {
            outOfTime = record(time.refusal(), instruction);
        }
        return outOfTime != null;
    }
}
