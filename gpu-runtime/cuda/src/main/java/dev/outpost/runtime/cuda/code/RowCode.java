package dev.outpost.runtime.cuda.code;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.cuda.code.RowValue.Origin;
import dev.outpost.runtime.engine.FusedRows;
import dev.outpost.runtime.engine.ReductionShape;
import dev.outpost.runtime.plan.rewrite.MayFault;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The computation of {@link FusedRows} for one row. Values with a number for each column are computed in loops over the row. The first loop
 * uses no results of folds, the second loop uses results of folds in the first loop, and so on.
 */
public final class RowCode {
    /** An operand from outside, with the shape in which its instruction reads it. */
    public record Load(int source, Shape shape, boolean isWide) {}

    /** A result: one number for each column, or one for the row. */
    record Store(RowValue value, CudaType type, boolean isWide, int result) {}

    /**
     * A result with one number for each column, folded over all rows.
     *
     * @param sum the type of the accumulator
     * @param type the type in memory
     * @param result its index among the results
     */
    public record ColumnFold(Reduce.Fn fn, CudaType sum, CudaType type, int result) {}

    private final FusedRows rows;
    private final Map<Load, RowValue> loads = new LinkedHashMap<>();
    private final List<RowValue> values = new ArrayList<>();
    private final Map<Integer, RowValue> valueOf = new HashMap<>();
    private final List<Store> stores = new ArrayList<>();
    private final List<ColumnFold> columnFolds = new ArrayList<>();
    /** The operands of the column folds. */
    private final List<RowValue> folded = new ArrayList<>();

    private final Expressions expressions = new Expressions();

    private RowCode(FusedRows rows) {
        this.rows = rows;
    }

    public static RowCode of(FusedRows rows) {
        RowCode code = new RowCode(rows);
        rows.map().instructions().forEach(code::define);
        for (int result = 0; result < rows.map().results().size(); result++) {
            code.store(result);
        }
        return code;
    }

    /**
     * Returns true if an instruction has code on rows. Instructions that may refuse a value have no code here,
     * because the host waits for them. Folds of columns are accumulated in registers, which limits the number of
     * columns.
     */
    public static boolean knows(Instruction instruction) {
        return switch (instruction.op()) {
            case Reduce reduce -> knows(reduce, instruction);
            case ArgReduce _ -> false;
            default -> !MayFault.is(instruction);
        };
    }

    /** Returns true if a reduction has code on rows. A fold of several rows into one number has a separate kernel. */
    private static boolean knows(Reduce reduce, Instruction instruction) {
        Shape folded = instruction.operandType(0).shape();
        boolean isTooWide = FusedRows.foldsColumns(reduce, folded)
                && instruction.resultType(0).shape().elements() > RowTeam.MAX_FOLDED_COLUMNS;
        return ReductionShape.of(reduce, folded) == null && !isTooWide;
    }

    public int rows() {
        return rows.rows();
    }

    public int columns() {
        return rows.columns();
    }

    /** Returns the operands that the kernel reads, in the order of its arguments. */
    public List<Load> loads() {
        return List.copyOf(loads.keySet());
    }

    /** Returns the values of the loads. */
    List<RowValue> loaded() {
        return List.copyOf(loads.values());
    }

    /** Returns all values of a row, each after its operands. */
    List<RowValue> values() {
        return values;
    }

    /** Returns the stores in the order of the results, without the stores of columns. */
    List<Store> stores() {
        return stores;
    }

    /** Returns the results that rows store, in the order of the kernel's arguments. */
    public List<Integer> stored() {
        return stores.stream().map(Store::result).toList();
    }

    /** Returns the folds of each column over all rows. A kernel leaves partial results, which have to be folded afterwards. */
    public List<ColumnFold> columnFolds() {
        return columnFolds;
    }

    RowValue folded(int columnFold) {
        return folded.get(columnFold);
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
        if (rows.foldsColumns(instruction)) {
            foldColumns(instruction, operands.getFirst());
            return;
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
        CudaType type = CudaType.of(instruction.operandType(position).dtype());
        return loads.computeIfAbsent(load, fresh -> load(fresh, type));
    }

    private RowValue load(Load load, CudaType type) {
        int number = loads.size();
        return new RowValue("x" + number, type, load.isWide(), 0, new Origin.Loaded(number), List.of());
    }

    private RowValue value(Instruction instruction, List<RowValue> operands) {
        CudaType type = CudaType.of(instruction.resultType(0).dtype());
        String name = "v" + values.size();
        RowValue value;
        if (instruction.op() instanceof Reduce reduce) {
            expressions.need(type.sum());
            RowValue folded = operands.getFirst();
            value = new RowValue(name, type, false, folded.loop + 1, new Origin.Folded(reduce.fn()), operands);
        } else {
            String[] names = operands.stream().map(operand -> operand.name).toArray(String[]::new);
            Origin origin = new Origin.Computed(expressions.of(instruction, names));
            boolean isWide = operands.stream().anyMatch(operand -> operand.isWide);
            int loop = operands.stream().mapToInt(operand -> operand.loop).max().orElse(0);
            value = new RowValue(name, type, isWide, loop, origin, operands);
        }
        values.add(value);
        return value;
    }

    /** Adds a fold of columns. No instruction of the rows uses its result. */
    private void foldColumns(Instruction instruction, RowValue operand) {
        int result = rows.map().results().indexOf(instruction.result(0));
        if (result >= 0) {
            Reduce.Fn fn = ((Reduce) instruction.op()).fn();
            expressions.need(operand.type.sum());
            columnFolds.add(new ColumnFold(fn, operand.type.sum(), operand.type, result));
            folded.add(operand);
        }
    }

    private void store(int result) {
        int stored = rows.map().results().get(result);
        for (Instruction instruction : rows.map().instructions()) {
            if (instruction.result(0) == stored && !rows.foldsColumns(instruction)) {
                CudaType type = CudaType.of(instruction.resultType(0).dtype());
                boolean isWide = rows.isWide(instruction.resultType(0).shape());
                stores.add(new Store(valueOf.get(stored), type, isWide, result));
            }
        }
    }
}
