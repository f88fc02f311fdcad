package dev.outpost.runtime.engine.cpu.window;

import dev.outpost.runtime.engine.cpu.vector.VectorMath;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loop of {@link FloatPools} with vectors, one register of windows at a time. It computes the same bits. There must be at least one
 * register of windows. The rest after the last whole register is computed in a register that begins earlier and repeats some windows,
 * because indices are always read as a whole register. <p>This is one method, and other methods that the JIT compiles early must not call
 * it. A gather consists of many methods. In a loop two calls further out the JIT would not inline all of them, and the loop would forever
 * take five times as long.
 */
final class VectorPools {
    private static final VectorSpecies<Float> SPECIES = VectorMath.SPECIES;
    private static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, SPECIES.vectorShape());
    private static final int LANES = SPECIES.length();

    private VectorPools() {}

    /** Compares one more element of each window. */
    static void compare(float[] elements, int from, int[] look, float[] values, int at, int[] indices) {
        for (int done = 0; done < look.length; done += LANES) {
            int first = Math.min(done, look.length - LANES);
            FloatVector best = FloatVector.fromArray(SPECIES, values, at + first);
            FloatVector x = FloatVector.fromArray(SPECIES, elements, from, look, first);
            VectorMask<Float> kept = x.compare(VectorOperators.LE, best).or(best.compare(VectorOperators.NE, best));
            x.blend(best, kept).intoArray(values, at + first);
            IntVector place = IntVector.fromArray(INTS, look, first);
            place.blend(IntVector.fromArray(INTS, indices, first), kept.cast(INTS))
                    .intoArray(indices, first);
        }
    }
}
