package dev.outpost.runtime.engine.cpu.tile;

import dev.outpost.runtime.engine.cpu.vector.Vectors;
import dev.outpost.runtime.engine.cpu.vector.WarmupSwitch;

/** Selects the first tile's element if the condition is true, and otherwise the second one's. Uses plain code until vectors are faster. */
public final class TileSelect {
    private static final WarmupSwitch WARMUP = new WarmupSwitch();

    private TileSelect() {}

    public static void run(float[] c, int atC, float[] a, int atA, float[] b, int atB, float[] r, int at, int count) {
        if (!Vectors.PRESENT) {
            ScalarTiles.choose(c, atC, a, atA, b, atB, r, at, count);
        } else if (WARMUP.isDone()) {
            VectorTiles.choose(c, atC, a, atA, b, atB, r, at, count);
        } else {
            WARMUP.both(
                    count,
                    1,
                    (from, some) -> VectorTiles.choose(c, atC + from, a, atA + from, b, atB + from, r, at + from, some),
                    (from, some) ->
                            ScalarTiles.choose(c, atC + from, a, atA + from, b, atB + from, r, at + from, some));
        }
    }
}
