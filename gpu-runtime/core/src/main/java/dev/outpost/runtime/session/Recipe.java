package dev.outpost.runtime.session;

import dev.outpost.protocol.tape.Instruction;
import dev.outpost.protocol.tape.Segment;
import dev.outpost.protocol.tape.SegmentWriter;
import dev.outpost.protocol.types.TensorType;
import dev.outpost.runtime.plan.Plan;
import dev.outpost.runtime.plan.Task;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How values of a task are computed that it did not store: its instructions, and what they read, of which this is an owner
 * until the last of the values is computed or gone. Used by the session's worker alone.
 */
final class Recipe {
    private final Plan plan;
    private final List<Instruction> instructions;
    private final List<String> lines;
    /** By the place where the task's run found it. */
    private final Map<Integer, Value.Present> sources = new LinkedHashMap<>();

    private final Set<Deferred> open = new LinkedHashSet<>();
    private boolean wasAsked;

    private Recipe(Plan plan, List<Instruction> instructions, List<String> lines) {
        this.plan = plan;
        this.instructions = instructions;
        this.lines = lines;
    }

    /** Of a task whose operands are all there. */
    static Recipe of(Task task, RunValues values, Segment segment) {
        List<Instruction> instructions = values.instructions(task);
        List<String> lines = instructions.stream()
                .map(instruction -> segment.source(instruction.index()))
                .toList();
        Recipe recipe = new Recipe(values.plan(), instructions, lines);
        for (Task.Operand operand : task.operands()) {
            int slot = values.slot(values.instruction(operand.instruction()), operand.position());
            if (slot != Instruction.IMMEDIATE) {
                recipe.sources.computeIfAbsent(slot, _ -> held((Value.Present) values.slots()[slot]));
            }
        }
        return recipe;
    }

    private static Value.Present held(Value.Present source) {
        source.storage().expectsRecipes(1);
        return source.retain();
    }

    /** One of its values, with one owner. */
    Deferred value(int place) {
        Instruction maker = instructions.stream()
                .filter(instruction -> instruction.result(0) == place)
                .findFirst()
                .orElseThrow();
        Deferred value = new Deferred(this, place, maker.resultType(0));
        open.add(value);
        return value;
    }

    /** Of one of its values nobody asks any more. */
    void forget(Deferred value) {
        open.remove(value);
        if (open.isEmpty()) {
            close();
        }
    }

    /** Lets go of what it holds. */
    void close() {
        for (Value.Present source : sources.values()) {
            source.storage().expectsRecipes(-1);
            source.release();
        }
        sources.clear();
    }

    boolean isClosed() {
        return open.isEmpty();
    }

    /** Those that are not computed yet, in the order in which they would be. */
    List<Deferred> open() {
        return inOrder(open);
    }

    static List<Deferred> inOrder(Collection<Deferred> values) {
        return values.stream().sorted(Comparator.comparingInt(Deferred::place)).toList();
    }

    /** What its values would take. */
    long bytes() {
        return open.stream().mapToLong(value -> value.type().bytes()).sum();
    }

    /** Whether what nobody else holds takes more than its values would. */
    boolean holdsTooMuch() {
        return sources.values().stream()
                        .map(Value.Present::storage)
                        .distinct()
                        .filter(Storage::isHeldByRecipes)
                        .mapToLong(Storage::bytes)
                        .sum()
                > bytes();
    }

    /** Something of it is computed after all; the answer is whether it is not for the first time. */
    boolean asked() {
        boolean again = wasAsked;
        wasAsked = true;
        if (!again) {
            plan.askedForRecipe();
        }
        return again;
    }

    // ---- how

    /** The sources as a run takes them, each with another owner, in the order of the inputs of its segments. */
    Value[] inputs() {
        return sources.values().stream().map(Value.Present::retain).toArray(Value[]::new);
    }

    TensorType[] inputTypes() {
        return sources.values().stream().map(Value.Present::type).toArray(TensorType[]::new);
    }

    /** What computes some of its values, and nothing that they do not need. */
    Segment segment(Collection<Deferred> wanted) {
        BitSet asked = new BitSet();
        wanted.forEach(value -> asked.set(value.place()));
        return new Writer().write(needed(asked), asked);
    }

    private BitSet needed(BitSet asked) {
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

    /** The same instructions in a segment of their own. */
    private final class Writer {
        private final SegmentWriter writer = new SegmentWriter();
        private final Map<Integer, Integer> inputs = new HashMap<>();
        private final Map<Integer, Integer> results = new HashMap<>();

        Segment write(BitSet needed, BitSet asked) {
            for (int slot : sources.keySet()) {
                inputs.put(slot, writer.addInput(inputs.size() + 1L));
            }
            for (int place = 0; place < instructions.size(); place++) {
                if (needed.get(instructions.get(place).result(0))) {
                    write(instructions.get(place), lines.get(place));
                }
            }
            results.forEach((value, index) -> {
                if (!asked.get(value)) {
                    writer.drop(index);
                }
            });
            return Segment.read(writer.toByteArray());
        }

        private void write(Instruction instruction, String line) {
            writer.begin(instruction.op(), instruction.operandCount());
            for (int position = 0; position < instruction.operandCount(); position++) {
                operand(instruction, position);
            }
            long id = inputs.size() + results.size() + 1L;
            results.put(instruction.result(0), writer.finish(instruction.op(), id, 1));
            if (!line.isEmpty()) {
                writer.source(line);
            }
        }

        private void operand(Instruction instruction, int position) {
            int value = instruction.operand(position);
            if (value == Instruction.IMMEDIATE) {
                writer.immediate(instruction.immediate(position));
            } else if (results.containsKey(plan.slot(value))) {
                writer.result(results.get(plan.slot(value)));
            } else {
                writer.input(inputs.get(plan.slot(value)));
            }
        }
    }
}
