package dev.outpost.runtime.engine;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Instructions that run as one kernel, row by row of a matrix, such as softmax, a normalization, or their gradients. The
 * instructions are the same for every engine; each engine generates its own code for them.
 *
 * <p>A value is either wide, with one element for each element of the matrix, or narrow, with one element for each row. Its
 * shape may be any shape with that number of elements, in row-major order. The instructions are
 *
 * <ul>
 *   <li>elementwise instructions: a wide result has wide operands, or narrow ones that are repeated along each row; a narrow
 *       result has only narrow operands from within
 *   <li>{@code Reduce} of rows: from wide to narrow
 *   <li>{@code Reduce} of columns: from wide to one number for each column, which no other instruction uses
 *   <li>{@code Reduce} of all elements, as {@link ReductionShape} divides them into rows: from wide to one number, which no other
 *       instruction of the kernel uses
 *   <li>{@code ArgReduce} of rows: from wide to one number for each row, which no other instruction uses
 *   <li>{@code AsStrided} of a narrow value: the same numbers, narrow or repeated along the rows
 * </ul>
 *
 * Operands from outside have any shape that broadcasts to the shape of the instruction that uses them.
 */
public final class FusedRows {
    /** The maximum number of elements in a row. With this limit a processor's caches hold several rows. */
    public static final int MAX_COLUMNS = 1 << 16;

    public static final int MAX_ELEMENTS = 1 << 30;

    private final FusedMap map;
    private final int rows;
    private final int columns;

    /**
     * @param instructions each comes after the instructions whose results it uses
     * @param isStored true for values that other instructions need
     * @param rows the number of rows; rows times columns is below 2^31
     * @param columns the number of elements in a row, at least 2
     */
    public FusedRows(List<Instruction> instructions, IntPredicate isStored, int rows, int columns) {
        this.map = new FusedMap(instructions, isStored);
        this.rows = rows;
        this.columns = columns;
    }

    /**
     * Wraps a single reduction of rows or columns. Empty if it folds other dimensions, or if the matrix has an unsuitable size. An engine
     * can use the same code for single and fused reductions, so that both have the same bits.
     */
    public static Optional<FusedRows> alone(Instruction reduction) {
        FoldedMatrix matrix = FoldedMatrix.of(
                (Reduce) reduction.op(), reduction.operandType(0).shape());
        return Optional.ofNullable(matrix)
                .map(found -> new FusedRows(List.of(reduction), _ -> true, (int) found.rows(), (int) found.columns()));
    }

    /** Returns the instructions, the sources of their operands, and the stored values. */
    public FusedMap map() {
        return map;
    }

    public int rows() {
        return rows;
    }

    public int columns() {
        return columns;
    }

    /** Returns true if the instruction folds all rows into one row. Otherwise it folds each row into a number. */
    public boolean foldsColumns(Instruction instruction) {
        return instruction.op() instanceof Reduce reduce
                && foldsColumns(reduce, instruction.operandType(0).shape());
    }

    /** Returns true if the instruction folds several rows into one number. */
    public boolean foldsAll(Instruction instruction) {
        return rows > 1
                && instruction.op() instanceof Reduce
                && instruction.resultType(0).shape().elements() == 1;
    }

    /** Returns true if the reduction keeps the last dimension whose size is above 1. */
    public static boolean foldsColumns(Reduce reduce, Shape operand) {
        int last = operand.rank() - 1;
        while (last > 0 && operand.size(last) == 1) {
            last--;
        }
        return !reduce.axes().contains(last);
    }

    /** Returns true if a value of the shape is wide. Otherwise it is narrow. */
    public boolean isWide(Shape shape) {
        return shape.elements() != rows;
    }
}
