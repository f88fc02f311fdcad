package dev.outpost.runtime.cuda.code;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.FusedMap;
import dev.outpost.runtime.plan.rewrite.MayFault;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The text of the function {@code element}, which computes one element of each result of a {@link FusedMap} from numbers. */
public final class ElementCode {
    private static final int SHORT = 12;

    private final List<CudaType> inputs = new ArrayList<>();
    private final List<CudaType> outputs = new ArrayList<>();
    private final Expressions expressions = new Expressions();
    private final StringBuilder body = new StringBuilder();
    /** The variable of each computed value. */
    private final Map<Integer, String> variables = new HashMap<>();

    private boolean refuses;
    private int steps;

    private ElementCode() {}

    /** Creates the code of a map, in the types of each dtype. */
    public static ElementCode of(FusedMap map) {
        if (map.instructions().size() == 1 && onlyMoves(map.instructions().getFirst())) {
            return moving(map);
        }
        ElementCode code = new ElementCode();
        map.sources()
                .forEach(source -> code.inputs.add(CudaType.of(source.type().dtype())));
        map.instructions().forEach(instruction -> code.add(map, instruction));
        map.results().forEach(result -> code.store(code.variables.get(result), result, map));
        return code;
    }

    /** Creates the code of a copy that keeps all bits of elements. */
    public static ElementCode copy(DType dtype) {
        ElementCode code = new ElementCode();
        code.inputs.add(CudaType.moved(dtype));
        code.outputs.add(CudaType.moved(dtype));
        code.body.append("    *y0 = x0;\n");
        return code;
    }

    /** Returns true if the instruction only moves elements. Moving keeps the payload of a NaN. */
    private static boolean onlyMoves(Instruction instruction) {
        return instruction.op() == Unary.COPY
                || instruction.op() == Ternary.WHERE
                || instruction.op() instanceof Cast
                        && instruction.operandType(0).dtype()
                                == instruction.resultType(0).dtype();
    }

    private static ElementCode moving(FusedMap map) {
        Instruction instruction = map.instructions().getFirst();
        if (instruction.op() != Ternary.WHERE) {
            return copy(instruction.resultType(0).dtype());
        }
        CudaType moved = CudaType.moved(instruction.resultType(0).dtype());
        ElementCode code = new ElementCode();
        map.sources()
                .forEach(source -> code.inputs.add(
                        source.type().dtype() == DType.BOOL && source.position() == 0 ? CudaType.B8 : moved));
        code.outputs.add(moved);
        String[] operands = {"", "", ""};
        for (int position = 0; position < operands.length; position++) {
            operands[position] = "x" + map.source(instruction, position);
        }
        // One bool may be both the condition and a choice.
        code.body.append("    *y0 = " + operands[0] + " != 0 ? " + operands[1] + " : " + operands[2] + ";\n");
        return code;
    }

    public List<CudaType> inputs() {
        return inputs;
    }

    public List<CudaType> outputs() {
        return outputs;
    }

    /**
     * Returns true if the code refuses some values. Then the kernel has an argument for the word in which it writes the number of the
     * first refused element.
     */
    public boolean refuses() {
        return refuses;
    }

    /** Returns the number of elements that a thread may compute before its code becomes too long. */
    public int mostLanes() {
        return steps <= SHORT ? 8 : 4;
    }

    Set<Part> parts() {
        return expressions.parts();
    }

    /** Returns the text of the function. */
    public String text() {
        StringBuilder head = new StringBuilder("FN void element(");
        for (int input = 0; input < inputs.size(); input++) {
            head.append(inputs.get(input).value()).append(" x").append(input).append(", ");
        }
        for (int output = 0; output < outputs.size(); output++) {
            head.append(outputs.get(output).value()).append(" *y").append(output);
            head.append(output < outputs.size() - 1 || refuses ? ", " : "");
        }
        return head.append(refuses ? "int *refused" : "").append(")\n{\n").append(body) + "}\n";
    }

    // ---- one instruction

    private void add(FusedMap map, Instruction instruction) {
        String[] operands = new String[instruction.operandCount()];
        for (int position = 0; position < operands.length; position++) {
            operands[position] = map.isWithin(instruction, position)
                    ? variables.get(instruction.operand(position))
                    : "x" + map.source(instruction, position);
        }
        if (MayFault.is(instruction)) {
            refuses = true;
            body.append("    *refused |= " + operands[1] + " == 0;\n");
        }
        variables.put(
                instruction.result(0),
                Expressions.changesNothing(instruction) ? operands[0] : variable(instruction, operands));
    }

    private String variable(Instruction instruction, String[] operands) {
        String name = "v" + steps++;
        String type = CudaType.of(instruction.resultType(0).dtype()).value();
        body.append("    const " + type + " " + name + " = " + expressions.of(instruction, operands) + ";\n");
        return name;
    }

    private void store(String variable, int result, FusedMap map) {
        map.instructions().stream()
                .filter(instruction -> instruction.result(0) == result)
                .findFirst()
                .ifPresent(instruction ->
                        outputs.add(CudaType.of(instruction.resultType(0).dtype())));
        body.append("    *y" + (outputs.size() - 1) + " = " + variable + ";\n");
    }
}
