package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.ir.Structure;
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
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.Task;
import dev.outpost.runtime.plan.rewrite.MayFault;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.types.TensorType;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * A simulated run without kernels, for a plan that needs more memory than is available. It finds the tasks for which
 * memory is missing, and the tasks whose results only such tasks would use. If memory suffices for some results of a
 * fused task, the real run decides about that task.
 */
public final class MemoryDryRun {
    private enum Fate {
        COMPUTED,
        /** Memory is missing for its result. */
        REFUSED,
        /** An operand is missing. */
        LOST,
        /** No task that runs needs its results. */
        IN_VAIN
    }

    private static final long MAX_ELEMENTS = 1L << 48;
    private static final int NO_UPDATE = -1;

    /** A block of memory and the number of its owners. */
    private static final class Room {
        final long bytes;
        int owners;

        Room(long bytes, int owners) {
            this.bytes = bytes;
            this.owners = owners;
        }
    }

    private final RunValues values;
    private final Graph graph;
    private final Plan plan;
    private final Fate[] fates;
    private final long[] asked;
    private final Map<Integer, Room> rooms = new HashMap<>();
    private final Map<RefCountedStorage, Room> given = new IdentityHashMap<>();
    /**
     * The requested bytes of each update that was refused for lack of memory, by the task number of the update's
     * guard.
     */
    private final Map<Integer, Long> refusedUpdates;
    /** The task number of an update's guard, by the values that the update computes. */
    private final Map<Integer, Integer> updateOf = new HashMap<>();

    private long free;

    /**
     * Simulates a run. If memory is missing for a task of an update, the whole update is refused, so the simulation
     * starts again.
     *
     * @param values the values of the run, so far only its inputs
     * @param free the bytes available
     */
    public static MemoryDryRun of(RunValues values, long free) {
        Map<Integer, Long> refusedUpdates = new HashMap<>();
        MemoryDryRun dryRun;
        int known;
        do {
            known = refusedUpdates.size();
            dryRun = new MemoryDryRun(values, free, refusedUpdates);
        } while (refusedUpdates.size() > known);
        return dryRun;
    }

    private MemoryDryRun(RunValues values, long free, Map<Integer, Long> refusedUpdates) {
        this.values = values;
        this.refusedUpdates = refusedUpdates;
        this.graph = values.graph();
        this.plan = values.plan();
        this.free = free;
        this.fates = new Fate[plan.tasks().size()];
        this.asked = new long[fates.length];
        for (int input = 0; input < graph.structure().inputCount(); input++) {
            if (values.slots()[input] instanceof Value.Present present) {
                rooms.put(input, given.computeIfAbsent(present.storage(), MemoryDryRun::room));
            }
        }
        for (int task = 0; task < fates.length; task++) {
            fates[task] = dryRun(task);
            for (int value : plan.dyingAfter(task)) {
                leave(rooms.remove(value));
            }
        }
        findWhatIsInVain();
    }

    private static Room room(RefCountedStorage storage) {
        return new Room(storage.bytes(), storage.owners());
    }

    public boolean isRefused(int task) {
        return fates[task] == Fate.REFUSED;
    }

    public boolean isInVain(int task) {
        return fates[task] == Fate.IN_VAIN;
    }

    /** Returns the number of bytes that a task requested. */
    public long asked(int task) {
        return asked[task];
    }

    // ---- forwards: tasks that find room

    private Fate dryRun(int number) {
        Task task = plan.tasks().get(number);
        Instruction first = values.first(task);
        if (first.op() instanceof UpdateGuard guard) {
            return begin(guard, first, number);
        }
        if (first.op() instanceof UpdateCommit) {
            return commit(first);
        }
        int update = updateOf(task);
        for (int result : values.results(task)) {
            updateOf.put(result, update);
        }
        if (first.op() instanceof PlacementOp placement) {
            return place(placement, first);
        }
        int[] results = values.results(task);
        if (isAnythingMissing(task)) {
            return Fate.LOST;
        }
        Room[] donors = new Room[results.length];
        for (int result = 0; result < results.length; result++) {
            donors[result] = donor(number, result);
            asked[number] += donors[result] == null ? bytes(results[result]) : 0;
        }
        boolean fits = asked[number] <= free;
        if (!fits && update != NO_UPDATE) {
            refusedUpdates.putIfAbsent(update, asked[number]);
        }
        if (!fits && results.length == 1) {
            return Fate.REFUSED;
        }
        for (int result = 0; result < results.length; result++) {
            rooms.put(
                    results[result],
                    donors[result] == null ? taken(fits ? bytes(results[result]) : 0) : donors[result]);
        }
        return Fate.COMPUTED;
    }

    /**
     * Returns the task number of the guard of the uncommitted update whose values the task reads, or {@code NO_UPDATE}.
     */
    private int updateOf(Task task) {
        for (int place = 0; place < task.instructions().length; place++) {
            Instruction instruction = values.instruction(task.instructions()[place]);
            for (int position = 0; position < instruction.operandCount(); position++) {
                int update = updateOf.getOrDefault(values.slot(instruction, position), NO_UPDATE);
                if (update != NO_UPDATE) {
                    return update;
                }
            }
        }
        return NO_UPDATE;
    }

    /** Simulates the guard of an update. If the update fails, the states keep their memory. */
    private Fate begin(UpdateGuard guard, Instruction instruction, int number) {
        int operands = instruction.operandCount();
        boolean isRefused = refusedUpdates.containsKey(number);
        asked[number] = refusedUpdates.getOrDefault(number, 0L);
        boolean fails = isRefused || isAnythingMissing(plan.tasks().get(number));
        for (int position = 0; position < instruction.resultCount(); position++) {
            boolean isKept = position >= operands;
            int operand = isKept ? guard.gradients() + position - operands : position;
            if (isKept == fails) {
                share(instruction.result(position), rooms.get(values.slot(instruction, operand)));
            }
            updateOf.put(instruction.result(position), number);
        }
        return isRefused ? Fate.REFUSED : fails ? Fate.LOST : Fate.COMPUTED;
    }

    private Fate commit(Instruction instruction) {
        int states = instruction.resultCount();
        for (int state = 0; state < states; state++) {
            Room kept = rooms.get(values.slot(instruction, state));
            share(instruction.result(state), kept == null ? rooms.get(values.slot(instruction, states + state)) : kept);
        }
        return Fate.COMPUTED;
    }

    private void share(int value, Room room) {
        if (room != null) {
            room.owners++;
            rooms.put(value, room);
        }
    }

    private Room taken(long bytes) {
        free -= bytes;
        return new Room(bytes, 1);
    }

    /** Returns the bytes of a value, limited so that sums do not overflow. No machine has as much memory. */
    private long bytes(int value) {
        TensorType type = graph.type(value);
        return Math.min(MAX_ELEMENTS, type.shape().elements()) * type.dtype().bytes();
    }

    /** Returns the operand's memory that a result reuses, with another owner; null if the result needs new memory. */
    private Room donor(int task, int result) {
        int donor = plan.tasks().get(task).isFused() || result == 0 ? plan.donor(task, result) : Plan.NO_DONOR;
        Room room = donor == Plan.NO_DONOR ? null : rooms.get(donor);
        if (room == null || room.owners != 1) {
            return null;
        }
        room.owners++;
        return room;
    }

    /**
     * Simulates an op that only places elements. The memory of an upload is allocated when the upload arrives, and
     * the memory of a load before the first instruction.
     */
    private Fate place(PlacementOp placement, Instruction instruction) {
        int value = instruction.result(0);
        switch (placement) {
            case Literal _, Collective _ -> rooms.put(value, taken(bytes(value)));
            case Upload _, Load _ -> rooms.put(value, new Room(bytes(value), 1));
            case ModelOpen _, ModelCall _ -> {
                for (int position = 0; position < instruction.resultCount(); position++) {
                    int result = instruction.result(position);
                    rooms.put(result, taken(bytes(result)));
                }
            }
            case UpdateGuard _, UpdateCommit _ -> throw new IllegalStateException("an update defines several values");
            case AsStrided _ -> {
                int slot = values.slot(instruction, 0);
                Room base = slot == Instruction.IMMEDIATE ? null : rooms.get(slot);
                if (base == null) {
                    return Fate.LOST;
                }
                base.owners++;
                rooms.put(value, base);
            }
        }
        return Fate.COMPUTED;
    }

    private void leave(Room room) {
        if (room != null && --room.owners == 0) {
            free += room.bytes;
        }
    }

    private boolean isAnythingMissing(Task task) {
        for (int place = 0; place < task.instructions().length; place++) {
            Instruction instruction = values.instruction(task.instructions()[place]);
            for (int position = 0; position < instruction.operandCount(); position++) {
                int slot = values.slot(instruction, position);
                boolean isOutside = slot != Instruction.IMMEDIATE && !isResultOf(task, slot);
                if (isOutside && !rooms.containsKey(slot)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isResultOf(Task task, int value) {
        for (int place = 0; place < task.instructions().length; place++) {
            Instruction instruction = values.instruction(task.instructions()[place]);
            if (value >= instruction.result(0) && value < instruction.result(0) + instruction.resultCount()) {
                return true;
            }
        }
        return false;
    }

    // ---- backwards: needed tasks

    private void findWhatIsInVain() {
        boolean[] isNeeded = new boolean[graph.valueCount()];
        Structure structure = graph.structure();
        for (int result = 0; result < structure.resultCount(); result++) {
            isNeeded[plan.slot(structure.inputCount() + result)] |= structure.isKept(result);
        }
        for (int number = fates.length - 1; number >= 0; number--) {
            Task task = plan.tasks().get(number);
            if (fates[number] == Fate.COMPUTED && !isWanted(task, isNeeded)) {
                fates[number] = Fate.IN_VAIN;
            }
            // A fused task of several results may compute some of them although an operand is missing.
            boolean isGuard = values.first(task).op() instanceof UpdateGuard;
            if (isGuard
                    || fates[number] == Fate.COMPUTED
                    || fates[number] == Fate.LOST && values.results(task).length > 1) {
                need(task, isNeeded);
            }
        }
    }

    private boolean isWanted(Task task, boolean[] isNeeded) {
        for (int place = 0; place < task.instructions().length; place++) {
            Instruction instruction = values.instruction(task.instructions()[place]);
            boolean isWanted = MayFault.is(instruction);
            for (int position = 0; position < instruction.resultCount(); position++) {
                isWanted |= isNeeded[instruction.result(position)];
            }
            if (isWanted) {
                return true;
            }
        }
        return false;
    }

    private void need(Task task, boolean[] isNeeded) {
        for (int place = 0; place < task.instructions().length; place++) {
            Instruction instruction = values.instruction(task.instructions()[place]);
            for (int position = 0; position < instruction.operandCount(); position++) {
                int slot = values.slot(instruction, position);
                if (slot != Instruction.IMMEDIATE) {
                    isNeeded[slot] = true;
                }
            }
        }
    }
}
