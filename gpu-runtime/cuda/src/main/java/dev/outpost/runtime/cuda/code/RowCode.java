package dev.outpost.runtime.cuda.code;

import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.tape.Instruction;
import dev.outpost.protocol.types.Shape;
import dev.outpost.runtime.cuda.code.RowValue.Origin;
import dev.outpost.runtime.engine.FusedRows;
import dev.outpost.runtime.plan.rewrite.Refusing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What {@link FusedRows} compute of a row. All that needs a number for each column is done in loops over the row: the first
 * one needs no fold, the next one what folds in the first come to, and so on.
 */
public final class RowCode {
    /** An operand from outside, as who uses it sees it. */
    public record Load(int source, Shape shape, boolean isWide) {}

    /** A result: one number for each column, or one for the row. */
    record Store(RowValue value, Word word, boolean isWide) {}

    private final FusedRows rows;
    private final Map<Load, RowValue> loads = new LinkedHashMap<>();
    private final List<RowValue> values = new ArrayList<>();
    private final Map<Integer, RowValue> valueOf = new HashMap<>();
    private final List<Store> stores = new ArrayList<>();
    private final Expressions expressions = new Expressions();

    private RowCode(FusedRows rows) {
        this.rows = rows;
    }

    public static RowCode of(FusedRows rows) {
        RowCode code = new RowCode(rows);
        rows.map().instructions().forEach(code::define);
        for (int result : rows.map().results()) {
            code.store(result);
        }
        return code;
    }

    /** Whether there is code for an instruction. What may refuse a value is waited for, so it stands by itself. */
    public static boolean knows(Instruction instruction) {
        return !Refusing.is(instruction)
                && !(instruction.op() instanceof Reduce reduce
                        && FusedRows.foldsColumns(
                                reduce, instruction.operandType(0).shape()));
    }

    public int rows() {
        return rows.rows();
    }

    public int columns() {
        return rows.columns();
    }

    /** What a kernel reads, in this order. */
    public List<Load> loads() {
        return List.copyOf(loads.keySet());
    }

    /** What each of the loads brings. */
    List<RowValue> loaded() {
        return List.copyOf(loads.values());
    }

    /** All that is known of a row; each comes after its operands. */
    List<RowValue> values() {
        return values;
    }

    /** In the order of the results. */
    List<Store> stores() {
        return stores;
    }

    Set<Part> parts() {
        Set<Part> parts = new LinkedHashSet<>(List.of(Part.VALUES));
        parts.addAll(expressions.parts());
        return parts;
    }

    // ---- one instruction

    private void define(Instruction instruction) {
        List<RowValue> operands = new ArrayList<>();
        for (int position = 0; position < instruction.operandCount(); position++) {
            operands.add(operand(instruction, position));
        }
        boolean isOperand = instruction.op() instanceof AsStrided || Expressions.changesNothing(instruction);
        valueOf.put(instruction.result(0), isOperand ? operands.getFirst() : value(instruction, operands));
    }

    private RowValue operand(Instruction instruction, int position) {
        if (rows.map().isWithin(instruction, position)) {
            return valueOf.get(instruction.operand(position));
        }
        boolean folds = instruction.op() instanceof Reduce;
        Shape shape = folds
                ? instruction.operandType(position).shape()
                : instruction.resultType(0).shape();
        Load load = new Load(rows.map().source(instruction, position), shape, rows.isWide(shape));
        Word word = Word.of(instruction.operandType(position).dtype());
        return loads.computeIfAbsent(load, fresh -> load(fresh, word));
    }

    private RowValue load(Load load, Word word) {
        int number = loads.size();
        return new RowValue("x" + number, word, load.isWide(), 0, new Origin.Loaded(number), List.of());
    }

    private RowValue value(Instruction instruction, List<RowValue> operands) {
        Word word = Word.of(instruction.resultType(0).dtype());
        String name = "v" + values.size();
        RowValue value;
        if (instruction.op() instanceof Reduce reduce) {
            expressions.need(word.sum());
            RowValue folded = operands.getFirst();
            value = new RowValue(name, word, false, folded.loop + 1, new Origin.Folded(reduce.fn()), operands);
        } else {
            String[] names = operands.stream().map(operand -> operand.name).toArray(String[]::new);
            Origin origin = new Origin.Computed(expressions.of(instruction, names));
            boolean isWide = operands.stream().anyMatch(operand -> operand.isWide);
            int loop = operands.stream().mapToInt(operand -> operand.loop).max().orElse(0);
            value = new RowValue(name, word, isWide, loop, origin, operands);
        }
        values.add(value);
        return value;
    }

    private void store(int result) {
        for (Instruction instruction : rows.map().instructions()) {
            if (instruction.result(0) == result) {
                Word word = Word.of(instruction.resultType(0).dtype());
                boolean isWide = rows.isWide(instruction.resultType(0).shape());
                stores.add(new Store(valueOf.get(result), word, isWide));
            }
        }
    }
}
