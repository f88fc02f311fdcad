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
 * How values of a task are computed that it did not store: its instructions, and what they read, of which this is an owner
 * until the last of the values is computed or gone. Used by the session's worker alone.
 */
public final class Rematerialization {
    private final Plan plan;
    private final Task task;
    private final Graph graph;
    /** By the place where the task's run found it. */
    private final Map<Integer, Value.Present> sources = new LinkedHashMap<>();
    /** The memory of the sources, each once. */
    private RefCountedStorage[] storages;

    /** In the order in which they would be computed; null where one is computed or gone. */
    private final LazyElements[] values;

    private final RematerializationTable rematerializations;
    /** Later ones have higher numbers. */
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

    /** Of a task whose operands are all there. */
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

    /** One of the values that the task defers, by its number among them, with one owner. */
    public LazyElements value(int number) {
        LazyElements value = new LazyElements(this, number, graph.type(task.deferred()[number]));
        values[number] = value;
        open++;
        bytes += value.type().bytes();
        return value;
    }

    /** Of one of its values nobody asks any more. */
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

    /** The memory that it holds, each once. */
    public List<RefCountedStorage> storages() {
        return List.of(storages);
    }

    /** Lets go of what it holds. */
    public void close() {
        for (Value.Present source : sources.values()) {
            source.storage().expectsRematerializations(-1);
            source.release();
        }
        sources.clear();
    }

    /** Those that are not computed yet, in the order in which they would be. */
    public List<LazyElements> open() {
        return Arrays.stream(values).filter(Objects::nonNull).toList();
    }

    /** The bytes that its values would take. */
    public long bytes() {
        return bytes;
    }

    /** Whether what nobody else holds takes more than its values would. */
    public boolean holdsTooMuch() {
        long held = 0;
        for (RefCountedStorage storage : storages) {
            held += storage.isHeldByRematerializations() ? storage.bytes() : 0;
        }
        return held > bytes;
    }

    /** Something of it is computed after all; the answer is whether it is not for the first time. */
    public boolean markAsked() {
        boolean again = wasAsked;
        wasAsked = true;
        if (!again) {
            plan.demand().asked();
        }
        return again;
    }

    // ---- how

    /** The sources as a run takes them, each with another owner, in the order of the inputs of its graphs. */
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

    /** The graph that computes some of its values, and nothing that they do not need, over the {@link #inputs}. */
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

    /** The same instructions in a graph of their own. */
    private final class Extract {
        private final GraphBuilder builder = new GraphBuilder(inputTypes());
        /** By the place where the task's run found or put a value: its number in the new graph. */
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
