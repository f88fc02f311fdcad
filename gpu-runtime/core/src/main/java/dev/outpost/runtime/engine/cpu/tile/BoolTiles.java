package dev.outpost.runtime.engine.cpu.tile;

import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Unary;
import java.util.Optional;

/** The code of elementwise ops on tiles of bools, which are floats 1 and 0, and of ops that compute such a tile from floats. */
public final class BoolTiles {
    static final TileOp NOT = new PlainOp(BoolTiles::not, VectorStep.NOT);

    private BoolTiles() {}

    /** Returns the code of an op from floats to bools, or on bools; empty if there is none. */
    public static Optional<TileOp> of(Unary op) {
        return switch (op) {
            // A number is NaN if it differs from itself.
            case IS_NAN -> TileOps.of(Binary.NE);
            case NOT -> Optional.of(NOT);
            default -> Optional.empty();
        };
    }

    /** Returns the code of an op on bools; empty if there is none. */
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

    /** Copies bools from an array to a tile. */
    public static void read(byte[] a, int atA, int stride, float[] r, int count) {
        for (int i = 0; i < count; i++) {
            r[i] = a[atA + i * stride];
        }
    }

    /** Copies a tile to an array of bools. */
    public static void write(float[] a, int atA, byte[] r, int at, int count) {
        for (int i = 0; i < count; i++) {
            r[at + i] = (byte) a[atA + i];
        }
    }
}
