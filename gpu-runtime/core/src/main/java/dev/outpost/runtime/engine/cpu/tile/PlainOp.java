package dev.outpost.runtime.engine.cpu.tile;

import java.util.Optional;

/**
 * An operation that the JIT vectorises by itself.
 *
 * @param code the loop of the operation
 * @param part the operation as a step of a chain
 */
record PlainOp(TileOp code, VectorStep part) implements TileOp {
    @Override
    public void run(float[] first, int atFirst, float[] second, int atSecond, float[] result, int at, int count) {
        code.run(first, atFirst, second, atSecond, result, at, count);
    }

    @Override
    public Optional<VectorStep> step() {
        return Optional.of(part);
    }
}
