package dev.outpost.runtime.plan;

import dev.outpost.protocol.tape.Instruction;
import dev.outpost.runtime.engine.FusedMap;
import dev.outpost.runtime.engine.Kernel;
import java.util.List;

/**
 * What is launched at once: an instruction, or several of which only some results are stored. Instructions are named by
 * their place in the graph, since each run of a plan has a graph of its own, with its own numbers in it.
 */
public final class Task {
    /** An operand of an instruction. */
    public record Operand(int instruction, int position) {}

    private final int[] instructions;
    private final Kernel kernel;
    private final List<Operand> operands;
    private final int[] results;

    private Task(int[] instructions, Kernel kernel, List<Operand> operands, int[] results) {
        this.instructions = instructions;
        this.kernel = kernel;
        this.operands = operands;
        this.results = results;
    }

    /** @param kernel null for a {@code Placement}, which has no code */
    static Task single(int instruction, Kernel kernel) {
        return new Task(new int[] {instruction}, kernel, List.of(), new int[0]);
    }

    static Task fused(FusedMap map, Kernel kernel) {
        return new Task(
                map.instructions().stream()
                        .mapToInt(instruction -> instruction.index())
                        .toArray(),
                kernel,
                map.sources().stream()
                        .map(source -> new Operand(source.instruction().index(), source.position()))
                        .toList(),
                map.results().stream().mapToInt(Integer::intValue).toArray());
    }

    /** In the order in which they could run one by one. Callers do not change the array. */
    public int[] instructions() {
        return instructions;
    }

    /** Whether it stands for several instructions. */
    public boolean isFused() {
        return instructions.length > 1;
    }

    /** The code of the one instruction, or of all of them. */
    public Kernel kernel() {
        return kernel;
    }

    /** Of several instructions: what the kernel is handed. */
    public List<Operand> operands() {
        return operands;
    }

    /** Of several instructions: the values that the kernel stores. Callers do not change the array. */
    public int[] results() {
        return results;
    }

    /** The values that are there after it. */
    int[] stored(Instruction[] byPlace) {
        if (isFused()) {
            return results;
        }
        Instruction instruction = byPlace[instructions[0]];
        int[] stored = new int[instruction.resultCount()];
        for (int position = 0; position < stored.length; position++) {
            stored[position] = instruction.result(position);
        }
        return stored;
    }
}
