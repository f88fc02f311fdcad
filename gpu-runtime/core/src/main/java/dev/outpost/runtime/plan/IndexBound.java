package dev.outpost.runtime.plan;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.Gather;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.IndexSelect;
import dev.outpost.protocol.op.IndexWrite;
import dev.outpost.protocol.op.PagedAttention;
import dev.outpost.protocol.op.Scatter;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A requirement on an index tensor: each of its elements is at least {@code lowest} and less than {@code size}.
 *
 * @param index the index value
 */
record IndexBound(int index, long lowest, long size) {
    private static final int PAGES = 3;
    private static final int POSITIONS = 4;

    /** Returns the bounds that an instruction checks; empty if it cannot fail, or may fail for other reasons. */
    static Optional<List<IndexBound>> demandedBy(Instruction instruction) {
        return switch (instruction.op()) {
            case IndexCheck check -> ofValues(new IndexBound(instruction.operand(0), -check.size(), check.size()));
            case Gather gather -> along(instruction, gather.axis());
            case Scatter scatter -> along(instruction, scatter.axis());
            case IndexSelect select -> along(instruction, select.axis());
            case IndexWrite write -> along(instruction, write.axis());
            case PagedAttention _ -> paged(instruction);
            default -> Optional.empty();
        };
    }

    /** Returns the bounds that an instruction's results satisfy. */
    static List<IndexBound> ensuredBy(Instruction instruction) {
        return instruction.op() instanceof IndexCheck check
                ? List.of(new IndexBound(instruction.result(0), 0, check.size()))
                : List.of();
    }

    private static Optional<List<IndexBound>> along(Instruction instruction, int axis) {
        return ofValues(new IndexBound(
                instruction.operand(1), 0, instruction.operandType(0).shape().size(axis)));
    }

    private static Optional<List<IndexBound>> paged(Instruction instruction) {
        Shape pool = instruction.operandType(1).shape();
        long room = instruction.operandType(PAGES).shape().size(1) * pool.size(1);
        return ofValues(
                new IndexBound(instruction.operand(PAGES), 0, pool.size(0)),
                new IndexBound(instruction.operand(POSITIONS), 0, room));
    }

    /** Returns empty if an index is an immediate number. Such a number is not a value, so nothing is known about it. */
    private static Optional<List<IndexBound>> ofValues(IndexBound... bounds) {
        return Stream.of(bounds).anyMatch(bound -> bound.index == Instruction.IMMEDIATE)
                ? Optional.empty()
                : Optional.of(List.of(bounds));
    }
}
