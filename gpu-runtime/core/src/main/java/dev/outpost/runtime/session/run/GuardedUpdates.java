package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.op.UpdateGuard;
import dev.outpost.runtime.session.context.Faults;
import dev.outpost.types.FaultKind;

/**
 * The updates of one run. Each changes all of its states or none. Its guard decides this before a kernel overwrites a
 * state.
 */
final class GuardedUpdates {
    /** The placeholder for the kept state of an update that is not skipped: its guard keeps no state. */
    private static final Fault NOTHING_KEPT =
            FaultMessages.of(FaultKind.USER, "update_guard: an update that happens keeps nothing");

    private final Faults faults;
    private final RunValues values;
    private final Value[] slots;
    private int open;
    private boolean hasUpdated;

    /** @param faults records the updates that fail */
    GuardedUpdates(Faults faults, RunValues values) {
        this.faults = faults;
        this.values = values;
        this.slots = values.slots();
    }

    /** Returns true if an update has begun that is not committed. Such an update must run to its end. */
    boolean isAnyOpen() {
        return open > 0;
    }

    /** Returns true if an update has begun, or was skipped. */
    boolean hasUpdated() {
        return hasUpdated;
    }

    /** @param lost the fault that poisoned one of the operands, or null */
    void begin(Instruction instruction, UpdateGuard guard, Fault lost) {
        hasUpdated = true;
        if (lost == null) {
            open++;
            pass(instruction, guard);
        } else {
            faults.updateFailed(guard.update(), lost);
            keep(instruction, guard, lost);
        }
    }

    private void pass(Instruction instruction, UpdateGuard guard) {
        int operands = instruction.operandCount();
        for (int position = 0; position < instruction.resultCount(); position++) {
            slots[instruction.result(position)] = position < operands
                    ? operand(instruction, position).retain()
                    : new Value.Poisoned(NOTHING_KEPT, instruction.resultType(position));
        }
    }

    private void keep(Instruction instruction, UpdateGuard guard, Fault lost) {
        int operands = instruction.operandCount();
        for (int position = 0; position < instruction.resultCount(); position++) {
            slots[instruction.result(position)] = position < operands
                    ? new Value.Poisoned(lost, instruction.resultType(position))
                    : operand(instruction, guard.gradients() + position - operands)
                            .retain();
        }
    }

    void commit(Instruction instruction) {
        int states = instruction.resultCount();
        boolean hasHappened = false;
        for (int state = 0; state < states; state++) {
            Value kept = operand(instruction, state);
            boolean isKept = !(kept instanceof Value.Poisoned poisoned) || poisoned.fault() != NOTHING_KEPT;
            hasHappened |= !isKept;
            slots[instruction.result(state)] = (isKept ? kept : operand(instruction, states + state)).retain();
        }
        open -= hasHappened && open > 0 ? 1 : 0;
    }

    private Value operand(Instruction instruction, int position) {
        return slots[values.slot(instruction, position)];
    }
}
