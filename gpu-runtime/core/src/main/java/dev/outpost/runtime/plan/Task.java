package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.runtime.engine.FusedMap;
import dev.outpost.runtime.engine.Kernel;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * One instruction, or several fused instructions, launched at once. Only some results of fused instructions are stored. It identifies
 * instructions by their index, because each run of a plan has a separate graph with different scalars.
 */
public final class Task {
    /** An operand of an instruction. */
    public record Operand(int instruction, int position) {}

    private final int[] instructions;
    private final Kernel kernel;
    private final List<Operand> operands;
    private final int[] results;
    private final int[] deferred;

    private Task(int[] instructions, Kernel kernel, List<Operand> operands, int[] results, int[] deferred) {
        this.instructions = instructions;
        this.kernel = kernel;
        this.operands = operands;
        this.results = results;
        this.deferred = deferred;
    }

    /** @param kernel null for a {@code Placement}, which has no code */
    static Task single(int instruction, Kernel kernel) {
        return new Task(new int[] {instruction}, kernel, List.of(), new int[0], new int[0]);
    }

    /** @param isDeferred true if a value outlives the segment without being stored */
    static Task fused(FusedMap map, Kernel kernel, IntPredicate isDeferred) {
        return new Task(
                map.instructions().stream()
                        .mapToInt(instruction -> instruction.index())
                        .toArray(),
                kernel,
                map.sources().stream()
                        .map(source -> new Operand(source.instruction().index(), source.position()))
                        .toList(),
                map.results().stream().mapToInt(Integer::intValue).toArray(),
                map.instructions().stream()
                        .mapToInt(instruction -> instruction.result(0))
                        .filter(isDeferred)
                        .toArray());
    }

    /**
     * Returns the indices of the task's instructions, in an order in which they can run one by one. Callers must not
     * change the array.
     */
    public int[] instructions() {
        return instructions;
    }

    /** Returns true if the task has several instructions. */
    public boolean isFused() {
        return instructions.length > 1;
    }

    /** Returns the code of the one instruction, or of all of them. */
    public Kernel kernel() {
        return kernel;
    }

    /** Returns the kernel's operands of a fused task; empty for a single instruction. */
    public List<Operand> operands() {
        return operands;
    }

    /** Returns the values that the kernel of a fused task stores. Callers must not change the array. */
    public int[] results() {
        return results;
    }

    /**
     * Returns the values of a fused task that outlive the segment and that the kernel does not store. Callers must not change the array.
     */
    public int[] deferred() {
        return deferred;
    }

    /**
     * Returns the values that are held after the task. Deferred values count too, because their rematerialization may
     * hold as much memory as they need.
     */
    int[] stored(Instruction[] byPlace) {
        if (isFused()) {
            return IntStream.concat(Arrays.stream(results), Arrays.stream(deferred))
                    .toArray();
        }
        Instruction instruction = byPlace[instructions[0]];
        int[] stored = new int[instruction.resultCount()];
        for (int position = 0; position < stored.length; position++) {
            stored[position] = instruction.result(position);
        }
        return stored;
    }
}
