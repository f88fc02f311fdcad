package dev.outpost.runtime.engine.cpu.tile;

import dev.outpost.runtime.engine.cpu.chain.Chain;
import java.util.Optional;

/** One operation on a tile: a few thousand floats in the processor's nearest cache. */
@FunctionalInterface
public interface TileOp {
    /**
     * Computes {@code count} elements of the result. It may be the same array as an operand, at the same place.
     *
     * @param first the only operand, or the left one
     * @param second the right operand, if there is one
     */
    void run(float[] first, int atFirst, float[] second, int atSecond, float[] result, int at, int count);

    /** Returns the same operation as a step of a {@link Chain}; empty if it cannot be one. */
    default Optional<VectorStep> step() {
        return Optional.empty();
    }
}
