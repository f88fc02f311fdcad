package dev.outpost.runtime.plan.rewrite;

import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.Instruction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** A graph while it is rewritten: the remaining instructions, and the replacement of each value. */
public final class RewriteContext {
    private final Graph whole;
    private final boolean mayAssume;
    private final int[] replacements;
    private final List<Guard> guards = new ArrayList<>();
    private List<Instruction> instructions;

    private RewriteContext(Graph whole, boolean mayAssume) {
        this.whole = whole;
        this.mayAssume = mayAssume;
        this.replacements = new int[whole.valueCount()];
        this.instructions = whole.instructions();
        Arrays.setAll(replacements, value -> value);
    }

    /** @param mayAssume true if the rewrites may rely on guards that this graph's data satisfy */
    public static RewriteContext of(Graph graph, List<Rewrite> rewrites, boolean mayAssume) {
        RewriteContext context = new RewriteContext(graph, mayAssume);
        rewrites.forEach(rewrite -> rewrite.apply(context));
        return context;
    }

    /** Returns the remaining instructions as a graph. */
    public Graph graph() {
        return whole.rewritten(instructions);
    }

    /** Returns the remaining instructions, by their index in the recorded graph; null if one was removed. */
    public Instruction[] byPlace() {
        Instruction[] byPlace = new Instruction[whole.instructions().size()];
        instructions.forEach(instruction -> byPlace[instruction.index()] = instruction);
        return byPlace;
    }

    /** Returns the replacement of each value, which is usually the value itself. */
    public int[] replacements() {
        return replacements;
    }

    /** Returns the guards that a run's data must satisfy, so that the rewrites are correct. */
    public List<Guard> assumptions() {
        return guards;
    }

    /** Returns the graph as it was recorded. */
    Graph whole() {
        return whole;
    }

    boolean mayAssume() {
        return mayAssume;
    }

    void assume(Guard guard) {
        guards.add(guard);
    }

    /**
     * Applies a rule to the instructions in order. If the rule returns values, they replace the instruction's results from there on, and
     * the instruction is removed. If it returns none, the instruction stays.
     */
    void replace(Function<Instruction, int[]> rule) {
        List<Instruction> left = new ArrayList<>(instructions.size());
        for (Instruction recorded : instructions) {
            Instruction instruction = recorded.over(operands(recorded));
            int[] values = rule.apply(instruction);
            if (values.length == 0) {
                left.add(instruction);
            } else {
                System.arraycopy(values, 0, replacements, instruction.result(0), values.length);
            }
        }
        settle();
        instructions = left;
    }

    /** Goes through the instructions from the last to the first, and removes those that match the rule. */
    void dropBackwards(Predicate<Instruction> rule) {
        List<Instruction> left = new ArrayList<>(instructions.size());
        for (Instruction instruction : instructions.reversed()) {
            if (!rule.test(instruction)) {
                left.add(instruction);
            }
        }
        instructions = List.copyOf(left.reversed());
    }

    private int[] operands(Instruction instruction) {
        int[] operands = new int[instruction.operandCount()];
        for (int position = 0; position < operands.length; position++) {
            int value = instruction.operand(position);
            operands[position] = value == Instruction.IMMEDIATE ? value : replacements[value];
        }
        return operands;
    }

    /** Resolves replacements that were replaced themselves. Resolves earlier values first, so one step is enough for each value. */
    private void settle() {
        for (int value = 0; value < replacements.length; value++) {
            replacements[value] = replacements[replacements[value]];
        }
    }
}
