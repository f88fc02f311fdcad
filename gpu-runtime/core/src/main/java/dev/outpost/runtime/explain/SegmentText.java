package dev.outpost.runtime.explain;

import dev.outpost.protocol.ir.Instruction;
import java.util.ArrayList;
import java.util.List;

/**
 * Formats a segment as lines such as {@code %7 float32[2,4] = matmul(%3 float32[2,3], %5 float32[3,4])}: ops, dtypes
 * and shapes. An immediate number is shown as its dtype, and attributes of ops are left out, so that no line contains a
 * value.
 */
final class SegmentText {
    private static final int MAX_OPERANDS = 16;

    private SegmentText() {}

    static List<String> lines(ExplainableRun run) {
        String[] names = ValueNames.of(run.bindings(), run.graph());
        return run.graph().instructions().stream()
                .map(instruction -> line(run, instruction, names))
                .toList();
    }

    private static String line(ExplainableRun run, Instruction instruction, String[] names) {
        List<String> results = new ArrayList<>();
        for (int position = 0; position < instruction.resultCount(); position++) {
            results.add(value(run, names, instruction.result(position)));
        }
        return String.join(", ", results) + " = " + instruction.op().label() + "("
                + String.join(", ", operands(run, instruction, names)) + ")";
    }

    private static List<String> operands(ExplainableRun run, Instruction instruction, String[] names) {
        List<String> operands = new ArrayList<>();
        for (int position = 0; position < Math.min(instruction.operandCount(), MAX_OPERANDS); position++) {
            int operand = instruction.operand(position);
            operands.add(
                    operand == Instruction.IMMEDIATE
                            ? instruction.immediate(position).dtype().label()
                            : value(run, names, operand));
        }
        if (instruction.operandCount() > MAX_OPERANDS) {
            operands.add("and " + (instruction.operandCount() - MAX_OPERANDS) + " more");
        }
        return operands;
    }

    private static String value(ExplainableRun run, String[] names, int value) {
        return names[value] + " " + run.graph().type(value);
    }
}
