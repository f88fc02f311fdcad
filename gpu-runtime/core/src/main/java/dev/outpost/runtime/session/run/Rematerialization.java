package dev.outpost.runtime.session.run;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.GraphBuilder;
import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.Task;
import dev.outpost.runtime.session.memory.RefCountedStorage;
import dev.outpost.types.TensorType;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The instructions that compute a task's deferred values, and the values that these instructions read. It owns the
 * values it reads until the last deferred value is computed or freed. Used by the session's worker thread alone.
 */
public final class Rematerialization {
    private final Plan plan;
    private final Task task;
    private final Graph graph;
    /** The values that it reads, by their slot in the task's run. */
    private final Map<Integer, Value.Present> sources = new LinkedHashMap<>();
    /** The distinct storages of the sources. */
    private RefCountedStorage[] storages;

    /** The deferred values in the order of their computation; null if a value is computed or freed. */
    private final LazyElements[] values;

    private final RematerializationTable rematerializations;
    /** The number of this rematerialization. Later rematerializations have higher numbers. */
    private final long number;

    private int open;
    private long bytes;
    private boolean wasAsked;

    private Rematerialization(Task task, RunValues run, RematerializationTable rematerializations) {
        this.plan = run.plan();
        this.task = task;
        this.graph = run.graph();
        this.rematerializations = rematerializations;
        this.number = rematerializations.nextNumber();
        this.values = new LazyElements[task.deferred().length];
    }

    /** Creates the rematerialization of a task whose operands are all present. */
    public static Rematerialization of(Task task, RunValues run, RematerializationTable rematerializations) {
        Rematerialization rematerialization = new Rematerialization(task, run, rematerializations);
        for (Task.Operand operand : task.operands()) {
            int slot = run.slot(run.instruction(operand.instruction()), operand.position());
            if (slot != Instruction.IMMEDIATE) {
                rematerialization.sources.computeIfAbsent(slot, _ -> held((Value.Present) run.slots()[slot]));
            }
        }
        rematerialization.storages = rematerialization.sources.values().stream()
                .map(Value.Present::storage)
                .distinct()
                .toArray(RefCountedStorage[]::new);
        return rematerialization;
    }

    private static Value.Present held(Value.Present source) {
        source.storage().expectsRematerializations(1);
        return source.retain();
    }

    /** Creates one of the task's deferred values, with one owner. */
    public LazyElements value(int number) {
        LazyElements value = new LazyElements(this, number, graph.type(task.deferred()[number]));
        values[number] = value;
        open++;
        bytes += value.type().bytes();
        return value;
    }

    /** Removes a value that is computed or has no owner any more. */
    public void forget(LazyElements value) {
        values[value.number()] = null;
        open--;
        bytes -= value.type().bytes();
        if (open == 0) {
            close();
            rematerializations.remove(this);
        } else {
            rematerializations.shrank(this);
        }
    }

    public long number() {
        return number;
    }

    /** Returns the distinct storages that it holds. */
    public List<RefCountedStorage> storages() {
        return List.of(storages);
    }

    /** Releases the values that it holds. */
    public void close() {
        for (Value.Present source : sources.values()) {
            source.storage().expectsRematerializations(-1);
            source.release();
        }
        sources.clear();
    }

    /** Returns the values that are not computed yet, in the order of their computation. */
    public List<LazyElements> open() {
        return Arrays.stream(values).filter(Objects::nonNull).toList();
    }

    /** Returns the bytes that its values would take. */
    public long bytes() {
        return bytes;
    }

    /** Returns true if the storages that only rematerializations hold take more bytes than its values would. */
    public boolean holdsTooMuch() {
        long held = 0;
        for (RefCountedStorage storage : storages) {
            held += storage.isHeldByRematerializations() ? storage.bytes() : 0;
        }
        return held > bytes;
    }

    /** Records that one of its values is computed. Returns true if a value was computed before. */
    public boolean markAsked() {
        boolean again = wasAsked;
        wasAsked = true;
        if (!again) {
            plan.demand().asked();
        }
        return again;
    }

    // ---- computation

    /** Returns the sources, each with another owner, in the order of the inputs of its graphs. */
    public Value[] inputs() {
        return sources.values().stream().map(Value.Present::retain).toArray(Value[]::new);
    }

    private TensorType[] inputTypes() {
        return sources.values().stream().map(Value.Present::type).toArray(TensorType[]::new);
    }

    private List<Instruction> instructions() {
        return Arrays.stream(task.instructions())
                .mapToObj(graph.instructions()::get)
                .toList();
    }

    /**
     * Returns the graph that computes these values, without instructions that they do not need, over the {@link
     * #inputs}.
     */
    public Graph graph(Collection<LazyElements> wanted) {
        BitSet asked = new BitSet();
        wanted.forEach(value -> asked.set(task.deferred()[value.number()]));
        List<Instruction> instructions = instructions();
        BitSet needed = needed(instructions, asked);
        Extract extract = new Extract();
        instructions.stream()
                .filter(instruction -> needed.get(instruction.result(0)))
                .forEach(instruction -> extract.add(instruction, asked.get(instruction.result(0))));
        return extract.builder.build();
    }

    private BitSet needed(List<Instruction> instructions, BitSet asked) {
        BitSet needed = (BitSet) asked.clone();
        for (Instruction instruction : instructions.reversed()) {
            for (int position = 0;
                    needed.get(instruction.result(0)) && position < instruction.operandCount();
                    position++) {
                if (instruction.operand(position) != Instruction.IMMEDIATE) {
                    needed.set(plan.slot(instruction.operand(position)));
                }
            }
        }
        return needed;
    }

    /** Copies instructions into a new graph. */
    private final class Extract {
        private final GraphBuilder builder = new GraphBuilder(inputTypes());
        /** Numbers of values in the new graph, by their slot in the task's run. */
        private final Map<Integer, Integer> numbers = new HashMap<>();

        Extract() {
            for (int slot : sources.keySet()) {
                numbers.put(slot, numbers.size());
            }
        }

        void add(Instruction instruction, boolean isAsked) {
            int[] operands = new int[instruction.operandCount()];
            for (int position = 0; position < operands.length; position++) {
                int value = instruction.operand(position);
                operands[position] = value == Instruction.IMMEDIATE ? value : numbers.get(plan.slot(value));
            }
            int result = builder.copy(instruction, operands).result(0);
            numbers.put(instruction.result(0), result);
            builder.source(graph.source(instruction.index()));
            if (!isAsked) {
                builder.drop(result);
            }
        }
    }
}
