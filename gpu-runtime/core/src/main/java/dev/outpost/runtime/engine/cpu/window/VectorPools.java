package dev.outpost.runtime.engine.cpu.window;

import dev.outpost.runtime.engine.cpu.vector.VectorMath;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The loop of {@link FloatPools} for a register of windows at a time, of which there is one at least; the same bits. What is left
 * over behind the last register is found in one that begins earlier, and finds some again: indices are read whole, masked or not.
 *
 * <p>This is one method, which others that the JIT compiles as early must not call: what gathers is made of so many methods that
 * in a loop two calls further out not all are inlined, and it takes five times as long for good.
 */
final class VectorPools {
    private static final VectorSpecies<Float> SPECIES = VectorMath.SPECIES;
    private static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, SPECIES.vectorShape());
    private static final int LANES = SPECIES.length();

    private VectorPools() {}

    /** Looks at one more element of each window. */
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
