package dev.outpost.runtime.engine.cpu.tile;

import dev.outpost.runtime.engine.cpu.vector.WarmupSwitch;
import java.util.List;

/** Works like {@link WarmupTileOp}, for an operation with a number. */
final class WarmupScalarOp implements NumberOp {
    private final Code plain;
    private final Code vectors;
    private final List<VectorStep> steps;
    private final WarmupSwitch warmup = new WarmupSwitch();

    /** @param vectors null if there is no code with vectors */
    WarmupScalarOp(Code plain, Code vectors, List<VectorStep> steps) {
        this.plain = plain;
        this.vectors = vectors;
        this.steps = steps;
    }

    @Override
    public List<VectorStep> steps() {
        return steps;
    }

    @Override
    public void run(float[] a, int atA, float number, float[] r, int at, int count) {
        if (vectors == null || count < WarmupTileOp.MIN) {
            plain.run(a, atA, number, r, at, count);
        } else if (warmup.isDone()) {
            vectors.run(a, atA, number, r, at, count);
        } else {
            warmup.both(
                    count,
                    1,
                    (from, some) -> vectors.run(a, atA + from, number, r, at + from, some),
                    (from, some) -> plain.run(a, atA + from, number, r, at + from, some));
        }
    }
}
