package dev.outpost.runtime.engine.cpu.product;

import dev.outpost.runtime.engine.cpu.vector.VectorMath;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** The loops of {@link Codes} with vectors, one register of weights at a time. They compute the same bits. */
final class VectorCodes {
    private static final VectorSpecies<Float> FLOATS = VectorMath.SPECIES;
    private static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, FLOATS.vectorShape());
    private static final int LANES = FLOATS.length();
    private static final VectorSpecies<Byte> BYTES =
            VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.max(64, LANES * Byte.SIZE)));
    /** Repeats each byte for two lanes. */
    private static final VectorShuffle<Integer> LOW_PAIRS = VectorShuffle.fromOp(INTS, lane -> lane / 2);

    private static final VectorShuffle<Integer> HIGH_PAIRS = VectorShuffle.fromOp(INTS, lane -> (LANES + lane) / 2);
    private static final IntVector SHIFTS =
            IntVector.zero(INTS).addIndex(1).and(1).mul(4);

    /** The size of a group must be a multiple of this number. The number is unreachable if registers of floats have fewer than 8 lanes. */
    static final int SPAN = LANES < 8 ? Integer.MAX_VALUE : 2 * LANES;

    private VectorCodes() {}

    static void bytes(byte[] codes, int from, float scale, float zero, float[] weights, int to, int count) {
        for (int place = 0; place < count; place += LANES) {
            ByteVector stored = ByteVector.fromArray(BYTES, codes, from + place);
            IntVector wide = (IntVector) stored.convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
            FloatVector code = (FloatVector) wide.convert(VectorOperators.I2F, 0);
            code.sub(zero).mul(scale).intoArray(weights, to + place);
        }
    }

    static void halves(byte[] codes, int from, float scale, float zero, float[] weights, int to, int count) {
        for (int place = 0; place < count; place += 2 * LANES) {
            ByteVector stored = ByteVector.fromArray(BYTES, codes, from + place / 2);
            IntVector wide = (IntVector) stored.convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
            IntVector low = wide.rearrange(LOW_PAIRS)
                    .lanewise(VectorOperators.LSHR, SHIFTS)
                    .and(15);
            IntVector high = wide.rearrange(HIGH_PAIRS)
                    .lanewise(VectorOperators.LSHR, SHIFTS)
                    .and(15);
            FloatVector first = (FloatVector) low.convert(VectorOperators.I2F, 0);
            FloatVector second = (FloatVector) high.convert(VectorOperators.I2F, 0);
            first.sub(zero).mul(scale).intoArray(weights, to + place);
            second.sub(zero).mul(scale).intoArray(weights, to + place + LANES);
        }
    }
}
