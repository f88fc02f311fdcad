package dev.outpost.runtime.engine.cpu.tile;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Unary;
import java.util.Optional;

/** The code of each elementwise op on tiles of bools, which are 1 and 0 as floats, or that makes such a tile of one of floats. */
public final class BoolTiles {
    static final TileOp NOT = new PlainOp(BoolTiles::not, VectorStep.NOT);

    private BoolTiles() {}

    /** Of floats to bools, or of bools; nothing where there is no code for it. */
    public static Optional<TileOp> of(Unary op) {
        return switch (op) {
            // The operand is both sides.
            case IS_NAN -> TileOps.of(Binary.NE);
            case NOT -> Optional.of(NOT);
            default -> Optional.empty();
        };
    }

    /** Of bools; nothing where there is no code for it. */
    public static Optional<TileOp> of(Binary op) {
        return switch (op) {
            case ADD, OR, MAXIMUM -> TileOps.of(Binary.MAXIMUM);
            case MUL, AND, MINIMUM -> TileOps.of(Binary.MINIMUM);
            case XOR, NE -> TileOps.of(Binary.NE);
            case EQ, LT, LE, GT, GE -> TileOps.of(op);
            default -> Optional.empty();
        };
    }

    private static void not(float[] a, int atA, float[] ignored, int atIgnored, float[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = 1 - a[atA + i];
        }
    }

    /** As they lie in memory to a tile. */
    public static void read(byte[] a, int atA, int stride, float[] r, int count) {
        for (int i = 0; i < count; i++) {
            r[i] = a[atA + i * stride];
        }
    }

    /** A tile to where they lie in memory. */
    public static void write(float[] a, int atA, byte[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = (byte) a[atA + i];
        }
    }
}
