package dev.outpost.runtime.engine.cpu.tile;

import dev.outpost.runtime.engine.cpu.chain.Chain;
import java.util.Optional;

/** One operation on a tile: a few thousand floats that lie in the processor's nearest cache. */
@FunctionalInterface
public interface TileOp {
    /**
     * Computes {@code count} elements of the result; it may be the very array of an operand, at the same place.
     *
     * @param first the operand, or the left one
     * @param second the right operand, where there is one
     */
    void run(float[] first, int atFirst, float[] second, int atSecond, float[] result, int at, int count);

    /** The same as a part of a {@link Chain}; nothing where it is none. */
    default Optional<VectorStep> step() {
        return Optional.empty();
    }
}
