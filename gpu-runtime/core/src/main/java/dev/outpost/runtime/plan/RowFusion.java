package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.runtime.engine.FusedRows;
import dev.outpost.types.Shape;
import java.util.function.Predicate;

/**
 * The rules of groups that are computed row by row. A reduction of rows determines the {@link RowMatrix} of a group.
 * Instructions with an element for each element or each row of this matrix may join the group.
 *
 * @param isKnown true if the engine has code for an instruction
 * @param groupOf the current number of the group that computes a value
 */
record RowFusion(Predicate<Instruction> isKnown, int[] groupOf) {
    /** Returns the matrix of a group that an instruction opens; null if the instruction is not a reduction of rows. */
    RowMatrix opened(Instruction instruction) {
        return instruction.op() instanceof Reduce && isKnown.test(instruction) ? frame(instruction) : null;
    }

    /** Returns the matrix of a group that an instruction has joined. */
    RowMatrix joined(Instruction instruction, FusionGroup group) {
        return group.rowMatrix == null && instruction.op() instanceof Reduce ? frame(instruction) : group.rowMatrix;
    }

    /** Records a result that is complete only after the last row. */
    static void note(Instruction instruction, FusionGroup group) {
        if (group.rowMatrix != null
                && instruction.op() instanceof Reduce reduce
                && isLate(reduce, instruction, group.rowMatrix)) {
            group.footers.add(instruction.result(0));
        }
    }

    /** Returns true if the result is complete only after the last row. */
    private static boolean isLate(Reduce reduce, Instruction instruction, RowMatrix rowMatrix) {
        return FusedRows.foldsColumns(reduce, instruction.operandType(0).shape())
                || rowMatrix.rows() > 1 && instruction.resultType(0).shape().elements() == 1;
    }

    private static RowMatrix frame(Instruction instruction) {
        return RowMatrix.of(
                (Reduce) instruction.op(), instruction.operandType(0).shape());
    }

    /** Returns true if an instruction may join a group that computes one of its operands. */
    boolean fits(Instruction instruction, FusionGroup group, int number) {
        Op op = instruction.op();
        if (FusionGroup.usesAny(instruction, group.footers)) {
            return false;
        }
        if (group.rowMatrix == null) {
            RowMatrix rowMatrix = op instanceof Reduce ? frame(instruction) : null;
            return rowMatrix != null
                    && instruction.operandType(0).shape().equals(group.shape)
                    && isKnown.test(instruction)
                    && group.members.stream().allMatch(member -> isKnown.test(member) && rowMatrix.takes(member));
        }
        return switch (op) {
            case Reduce _ -> group.rowMatrix.equals(frame(instruction)) && isKnown.test(instruction);
            case ArgReduce arg ->
                group.rowMatrix.isOfRows(arg, instruction.operandType(0).shape()) && isKnown.test(instruction);
            case AsStrided view ->
                group.rowMatrix.isNarrow(instruction.operandType(0).shape())
                        && group.rowMatrix.isAligned(view)
                        && isKnown.test(instruction);
            default ->
                Fusion.isElementwise(op)
                        && fitsElementwise(instruction, group.rowMatrix, number)
                        && isKnown.test(instruction);
        };
    }

    private boolean fitsElementwise(Instruction instruction, RowMatrix rowMatrix, int number) {
        Shape result = instruction.resultType(0).shape();
        return (rowMatrix.isWide(result) || rowMatrix.isNarrow(result))
                && rowMatrix.takes(instruction)
                && isAligned(instruction, rowMatrix, number);
    }

    /** Returns true if each row of the instruction uses only the same row of values that the group computes. */
    private boolean isAligned(Instruction instruction, RowMatrix rowMatrix, int number) {
        Shape result = instruction.resultType(0).shape();
        for (int position = 0; position < instruction.operandCount(); position++) {
            int value = instruction.operand(position);
            boolean isWithin = value != Instruction.IMMEDIATE && groupOf[value] == number;
            if (isWithin
                    && !rowMatrix.isAligned(instruction.operandType(position).shape(), result)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns true if a group may be merged into another that uses its results. At least one of them must have rows.
     */
    boolean canBeOne(FusionGroup source, FusionGroup target, int from) {
        RowMatrix rowMatrix = target.rowMatrix == null ? source.rowMatrix : target.rowMatrix;
        return !target.usesAny(source.footers)
                && isOf(source, rowMatrix)
                && isOf(target, rowMatrix)
                && target.members.stream().allMatch(member -> usesRows(member, rowMatrix, from));
    }

    private boolean isOf(FusionGroup group, RowMatrix rowMatrix) {
        return group.rowMatrix == null
                ? group.shape != null
                        && (rowMatrix.isWide(group.shape) || rowMatrix.isNarrow(group.shape))
                        && group.members.stream().allMatch(member -> isKnown.test(member) && rowMatrix.takes(member))
                : group.rowMatrix.equals(rowMatrix);
    }

    private boolean usesRows(Instruction member, RowMatrix rowMatrix, int from) {
        return switch (member.op()) {
            case Reduce _, ArgReduce _ -> true;
            case AsStrided view ->
                groupOf[member.operand(0)] != from
                        || rowMatrix.isNarrow(member.operandType(0).shape()) && rowMatrix.isAligned(view);
            default -> isAligned(member, rowMatrix, from);
        };
    }
}
