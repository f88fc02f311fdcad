package dev.outpost.runtime.engine.cpu.row;

import dev.outpost.protocol.ir.Instruction;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Cast;
import dev.outpost.protocol.op.Reduce;
import dev.outpost.protocol.op.Ternary;
import dev.outpost.protocol.op.Unary;
import dev.outpost.runtime.engine.cpu.fold.RowReduction;
import dev.outpost.runtime.engine.cpu.tile.BoolTiles;
import dev.outpost.runtime.engine.cpu.tile.TileOp;
import dev.outpost.runtime.engine.cpu.tile.TileOps;
import dev.outpost.types.DType;
import java.util.Optional;

/** Finds the code of instructions in a {@link RowProgram}. */
public final class RowCode {
    private RowCode() {}

    /** Returns true if an instruction has code on rows. */
    public static boolean knows(Instruction instruction) {
        DType operand = instruction.operandType(0).dtype();
        DType result = instruction.resultType(0).dtype();
        return switch (instruction.op()) {
            case Unary unary ->
                RowAccess.holds(operand)
                        && (TileOps.curve(unary).isPresent()
                                || of(unary, result).isPresent());
            case Binary binary ->
                RowAccess.holds(operand) && of(binary, operand).isPresent();
            case Ternary _ -> RowAccess.holds(result);
            case Cast _ -> RowAccess.holds(operand) && result == DType.FLOAT32;
            case Reduce reduce -> operand == DType.FLOAT32 && RowReduction.of(reduce.fn()) != null;
            case ArgReduce reduce ->
                operand == DType.FLOAT32
                        && reduce.axis() == instruction.operandType(0).shape().rank() - 1;
            case AsStrided _ -> RowAccess.holds(operand);
            default -> false;
        };
    }

    /** Returns the operation of an op on tiles; empty if it has none. */
    static Optional<TileOp> of(Unary op, DType result) {
        return result == DType.BOOL && op != Unary.COPY ? BoolTiles.of(op) : TileOps.of(op);
    }

    /** Returns the operation of an op on tiles; empty if it has none. */
    static Optional<TileOp> of(Binary op, DType operand) {
        return operand == DType.BOOL ? BoolTiles.of(op) : TileOps.of(op);
    }
}
