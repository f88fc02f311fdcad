package dev.outpost.runtime.engine.cpu.tile;

import dev.outpost.runtime.engine.cpu.vector.WarmupSwitch;
import java.util.Optional;

/** An operation that uses plain code until vectors are faster. It always uses plain code for too few numbers to fill a register. */
public final class WarmupTileOp implements TileOp {
    /** The number of floats that fills the widest register. */
    public static final int MIN = 16;

    private final TileOp plain;
    private final TileOp vectors;
    private final VectorStep step;
    private final WarmupSwitch warmup = new WarmupSwitch();

    /**
     * @param vectors computes the same bits as {@code plain}
     * @param step the operation as a step of a chain, with the same bits
     */
    WarmupTileOp(TileOp plain, TileOp vectors, VectorStep step) {
        this.plain = plain;
        this.vectors = vectors;
        this.step = step;
    }

    @Override
    public Optional<VectorStep> step() {
        return Optional.of(step);
    }

    @Override
    public void run(float[] first, int atFirst, float[] second, int atSecond, float[] result, int at, int count) {
        if (count < MIN) {
            plain.run(first, atFirst, second, atSecond, result, at, count);
            return;
        }
        if (warmup.isDone()) {
            vectors.run(first, atFirst, second, atSecond, result, at, count);
            return;
        }
        warmup.both(
                count,
                1,
                (from, some) -> vectors.run(first, atFirst + from, second, atSecond + from, result, at + from, some),
                (from, some) -> plain.run(first, atFirst + from, second, atSecond + from, result, at + from, some));
    }
}
