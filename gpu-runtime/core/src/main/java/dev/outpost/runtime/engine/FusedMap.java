package dev.outpost.runtime.engine;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Elementwise instructions over one shape that run as one kernel, element by element. A value that only these instructions use is never
 * stored. The map is the same for every engine. Each engine generates its own code for it. A map inside {@link FusedRows} only describes
 * how the instructions are connected.
 */
public final class FusedMap {
    /** An operand from outside: the first instruction that uses it, and its position among the operands of that instruction. */
    public record Source(Instruction instruction, int position) {
        public TensorType type() {
            return instruction.operandType(position);
        }
    }

    private static final int WITHIN = -1;

    private final List<Instruction> instructions;
    private final List<Source> sources = new ArrayList<>();
    private final List<Integer> results = new ArrayList<>();
    private final Map<Integer, Integer> sourceOfValue = new HashMap<>();
    private final Map<Source, Integer> sourceOfNumber = new HashMap<>();

    /**
     * @param instructions each comes after the instructions whose results it uses
     * @param isStored true for values that other instructions need
     */
    public FusedMap(List<Instruction> instructions, IntPredicate isStored) {
        this.instructions = List.copyOf(instructions);
        Set<Integer> within = new HashSet<>();
        for (Instruction instruction : this.instructions) {
            findSources(instruction, within);
            within.add(instruction.result(0));
            if (isStored.test(instruction.result(0))) {
                results.add(instruction.result(0));
            }
        }
    }

    private void findSources(Instruction instruction, Set<Integer> within) {
        for (int position = 0; position < instruction.operandCount(); position++) {
            int value = instruction.operand(position);
            Source source = new Source(instruction, position);
            if (value == Instruction.IMMEDIATE) {
                sourceOfNumber.put(source, add(source));
            } else if (!within.contains(value) && !sourceOfValue.containsKey(value)) {
                sourceOfValue.put(value, add(source));
            }
        }
    }

    private int add(Source source) {
        sources.add(source);
        return sources.size() - 1;
    }

    public List<Instruction> instructions() {
        return instructions;
    }

    /** Returns the operands that the kernel reads, in the order of its parameters. */
    public List<Source> sources() {
        return sources;
    }

    /** Returns the values that the kernel stores, in the order of its results. */
    public List<Integer> results() {
        return results;
    }

    /** Returns true if the operand is the result of an earlier instruction of the map. */
    public boolean isWithin(Instruction instruction, int position) {
        return source(instruction, position) == WITHIN;
    }

    /** Returns the index of the operand among the sources. */
    public int source(Instruction instruction, int position) {
        int value = instruction.operand(position);
        return value == Instruction.IMMEDIATE
                ? sourceOfNumber.get(new Source(instruction, position))
                : sourceOfValue.getOrDefault(value, WITHIN);
    }
}
