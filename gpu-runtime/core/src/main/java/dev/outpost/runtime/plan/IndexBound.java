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
 * A demand on an index: each of its elements is from {@code lowest} to below {@code size}.
 *
 * @param index the value
 */
record IndexBound(int index, long lowest, long size) {
    private static final int PAGES = 3;
    private static final int POSITIONS = 4;

    /** The bounds that an instruction checks; empty where it may fail for other reasons, or cannot fail. */
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

    /** The bounds that an instruction's results are in. */
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

    /** A number that stands in an instruction is no value, and nothing is known of it. */
    private static Optional<List<IndexBound>> ofValues(IndexBound... bounds) {
        return Stream.of(bounds).anyMatch(bound -> bound.index == Instruction.IMMEDIATE)
                ? Optional.empty()
                : Optional.of(List.of(bounds));
    }
}
