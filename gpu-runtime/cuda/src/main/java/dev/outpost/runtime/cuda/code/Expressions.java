package dev.outpost.runtime.cuda.code;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import java.util.EnumSet;
import java.util.Set;

/**
 * Translates elementwise instructions to C++ expressions of their operands' names, and collects the parts of the
 * source that these expressions need.
 */
final class Expressions {
    private final Set<Part> parts = EnumSet.noneOf(Part.class);

    /** Returns the parts that all previous expressions need. */
    Set<Part> parts() {
        return parts;
    }

    /** Returns true if the instruction's result has the same bits as its operand. */
    static boolean changesNothing(Instruction instruction) {
        return instruction.op() == Unary.COPY
                || instruction.op() instanceof Cast && from(instruction) == to(instruction);
    }

    /** Returns the expression of an instruction, rounded to its dtype. */
    String of(Instruction instruction, String... operands) {
        CudaType from = from(instruction);
        CudaType type = to(instruction);
        String expression = switch (instruction.op()) {
            case Unary unary -> call(unary, from, operands);
            case Cast _ -> cast(from, type, operands[0]);
            case Binary binary -> call(binary, from, operands);
            case Ternary ternary ->
                switch (ternary) {
                    case WHERE -> "(" + operands[0] + " != 0 ? " + operands[1] + " : " + operands[2] + ")";
                };
            default -> throw new IllegalStateException(instruction.op().label() + " is not elementwise");
        };
        return type.rounded(expression);
    }

    private static CudaType from(Instruction instruction) {
        return CudaType.of(instruction.operandType(0).dtype());
    }

    private static CudaType to(Instruction instruction) {
        return CudaType.of(instruction.resultType(0).dtype());
    }

    private String call(Unary op, CudaType from, String[] operands) {
        need(from);
        Part.defining(op.label()).ifPresent(this::need);
        boolean logical = op == Unary.NOT && from == CudaType.B8;
        return function(logical ? "logical_not" : op.label(), from.value(), operands);
    }

    private String call(Binary op, CudaType from, String[] operands) {
        need(from);
        Part.defining(op.label()).ifPresent(this::need);
        boolean short16 = op == Binary.NEXTAFTER && from.isNarrow();
        return function(op.label(), short16 ? from.stored() : from.value(), operands);
    }

    private String cast(CudaType from, CudaType to, String operand) {
        need(from);
        return to == CudaType.B8
                ? function("nonzero", from.value(), new String[] {operand})
                : from.to(to) + "(" + operand + ")";
    }

    private static String function(String name, String kind, String[] operands) {
        return name + "_" + kind + "(" + String.join(", ", operands) + ")";
    }

    /** Adds the part with the ops on numbers of the type. */
    void need(CudaType type) {
        parts.add(type.isFloating() ? Part.FLOATS : Part.INTEGERS);
    }

    private void need(Part special) {
        parts.add(Part.POLYNOMIALS);
        special.base().ifPresent(parts::add);
        parts.add(special);
    }
}
