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
 * The rules of groups that go row by row: a reduction of rows gives a group its {@link RowMatrix}, and instructions with
 * that many elements, or one for each row, may join it.
 */
final class RowFusion {
    private final Predicate<Instruction> isKnown;
    private final int[] groupOf;

    /**
     * @param isKnown whether there is code for an instruction
     * @param groupOf the number of the group that computes a value, as it changes
     */
    RowFusion(Predicate<Instruction> isKnown, int[] groupOf) {
        this.isKnown = isKnown;
        this.groupOf = groupOf;
    }

    /** The rows of a group that an instruction opens; null where it has none yet, or never will. */
    RowMatrix opened(Instruction instruction) {
        return instruction.op() instanceof Reduce && isKnown.test(instruction) ? frame(instruction) : null;
    }

    /** The rows of a group that an instruction has joined. */
    RowMatrix joined(Instruction instruction, FusionGroup group) {
        return group.frame == null && instruction.op() instanceof Reduce ? frame(instruction) : group.frame;
    }

    /** Says what an instruction brings to a group with rows. */
    static void note(Instruction instruction, FusionGroup group) {
        if (group.frame != null
                && instruction.op() instanceof Reduce reduce
                && isLate(reduce, instruction, group.frame)) {
            group.footers.add(instruction.result(0));
        }
    }

    /** Whether it is known when the last row is done. */
    private static boolean isLate(Reduce reduce, Instruction instruction, RowMatrix frame) {
        return FusedRows.foldsColumns(reduce, instruction.operandType(0).shape())
                || frame.rows() > 1 && instruction.resultType(0).shape().elements() == 1;
    }

    private static RowMatrix frame(Instruction instruction) {
        return RowMatrix.of((Reduce) instruction.op(), instruction.operandType(0).shape());
    }

    /** Whether an instruction may join a group that computes one of its operands. */
    boolean fits(Instruction instruction, FusionGroup group, int number) {
        Op op = instruction.op();
        if (FusionGroup.usesAny(instruction, group.footers)) {
            return false;
        }
        if (group.frame == null) {
            RowMatrix frame = op instanceof Reduce ? frame(instruction) : null;
            return frame != null
                    && instruction.operandType(0).shape().equals(group.shape)
                    && isKnown.test(instruction)
                    && group.members.stream().allMatch(member -> isKnown.test(member) && frame.takes(member));
        }
        return switch (op) {
            case Reduce _ -> group.frame.equals(frame(instruction)) && isKnown.test(instruction);
            case ArgReduce arg ->
                group.frame.isOfRows(arg, instruction.operandType(0).shape()) && isKnown.test(instruction);
            case AsStrided view ->
                group.frame.isNarrow(instruction.operandType(0).shape())
                        && group.frame.isAligned(view)
                        && isKnown.test(instruction);
            default ->
                Fusion.isElementwise(op)
                        && fitsElementwise(instruction, group.frame, number)
                        && isKnown.test(instruction);
        };
    }

    private boolean fitsElementwise(Instruction instruction, RowMatrix frame, int number) {
        Shape result = instruction.resultType(0).shape();
        return (frame.isWide(result) || frame.isNarrow(result))
                && frame.takes(instruction)
                && isAligned(instruction, frame, number);
    }

    /** Whether what an instruction uses of a group belongs to the rows that it computes. */
    private boolean isAligned(Instruction instruction, RowMatrix frame, int number) {
        Shape result = instruction.resultType(0).shape();
        for (int position = 0; position < instruction.operandCount(); position++) {
            int value = instruction.operand(position);
            boolean isWithin = value != Instruction.IMMEDIATE && groupOf[value] == number;
            if (isWithin && !frame.isAligned(instruction.operandType(position).shape(), result)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a group may go into another that uses its results, where one of them at least has rows. */
    boolean canBeOne(FusionGroup source, FusionGroup target, int from) {
        RowMatrix frame = target.frame == null ? source.frame : target.frame;
        return !target.usesAny(source.footers)
                && isOf(source, frame)
                && isOf(target, frame)
                && target.members.stream().allMatch(member -> usesRows(member, frame, from));
    }

    private boolean isOf(FusionGroup group, RowMatrix frame) {
        return group.frame == null
                ? group.shape != null
                        && (frame.isWide(group.shape) || frame.isNarrow(group.shape))
                        && group.members.stream().allMatch(member -> isKnown.test(member) && frame.takes(member))
                : group.frame.equals(frame);
    }

    private boolean usesRows(Instruction member, RowMatrix frame, int from) {
        return switch (member.op()) {
            case Reduce _, ArgReduce _ -> true;
            case AsStrided view ->
                groupOf[member.operand(0)] != from
                        || frame.isNarrow(member.operandType(0).shape()) && frame.isAligned(view);
            default -> isAligned(member, frame, from);
        };
    }
}
