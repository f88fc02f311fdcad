package dev.outpost.runtime.engine.cpu.code;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.FusedMap;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Translates the instructions of a {@link FusedMap} to one expression that computes the same bits. */
public final class FusedExpression {
    private final FusedMap map;
    private final List<Step> steps = new ArrayList<>();
    /** The step that computes each value. */
    private final Map<Integer, Integer> stepOf = new HashMap<>();

    private FusedExpression(FusedMap map) {
        this.map = map;
        for (int source = 0; source < map.sources().size(); source++) {
            steps.add(new Step.Load(source, map.sources().get(source).type().dtype()));
        }
    }

    public static Expression of(FusedMap map) {
        FusedExpression fused = new FusedExpression(map);
        for (Instruction instruction : map.instructions()) {
            fused.stepOf.put(instruction.result(0), fused.step(instruction));
        }
        List<Integer> results = map.results().stream().map(fused.stepOf::get).toList();
        return new Expression(fused.steps, results);
    }

    private int step(Instruction instruction) {
        DType dtype = instruction.resultType(0).dtype();
        int first = operand(instruction, 0);
        return switch (instruction.op()) {
            case Unary unary when unary == Unary.COPY -> first;
            case Unary unary -> rounded(new Step.ApplyUnary(unary, first, dtype));
            case Cast _ -> steps.get(first).dtype() == dtype ? first : rounded(new Step.Convert(first, dtype));
            case Binary binary -> rounded(new Step.ApplyBinary(binary, first, operand(instruction, 1), dtype));
            case Ternary ternary ->
                rounded(new Step.ApplyTernary(ternary, first, operand(instruction, 1), operand(instruction, 2), dtype));
            default -> throw new IllegalStateException(instruction.op().label() + " is not elementwise");
        };
    }

    private int operand(Instruction instruction, int position) {
        return map.isWithin(instruction, position)
                ? stepOf.get(instruction.operand(position))
                : map.source(instruction, position);
    }

    /** Adds a step and rounds its result, since the code of a step keeps a 16-bit float in float32's precision. */
    private int rounded(Step step) {
        int position = add(step);
        boolean isShort = step.dtype() == DType.FLOAT16 || step.dtype() == DType.BFLOAT16;
        return isShort ? add(new Step.Round(position, step.dtype())) : position;
    }

    private int add(Step step) {
        steps.add(step);
        return steps.size() - 1;
    }
}
