package dev.outpost.runtime.engine.cpu.product;

import dev.outpost.runtime.engine.cpu.vector.VectorMath;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/**
 * Products of one row with quantized weights, which become floats only in registers. The inputs of a row are in the order in which
 * the loops read them. For codes of 4 bits the even inputs come first, because the codes of two neighbours share a byte.
 */
final class VectorQuantizedRows {
    private static final VectorSpecies<Float> FLOATS = VectorMath.SPECIES;
    private static final VectorSpecies<Integer> INTS = VectorSpecies.of(int.class, FLOATS.vectorShape());
    private static final int LANES = FLOATS.length();
    private static final VectorSpecies<Byte> BYTES =
            VectorSpecies.of(byte.class, VectorShape.forBitSize(Math.max(64, LANES * Byte.SIZE)));
    private static final int LOWER = 15;

    private VectorQuantizedRows() {}

    /** Returns true if this class can multiply groups of that number of inputs. */
    static boolean suits(int group) {
        return LANES >= 8 && group % (2 * LANES) == 0;
    }

    /** Returns the product of a row with the weights of an output. */
    static float multiply(Codes codes, int output, QuantizedRow row) {
        int groups = codes.inputs() / codes.group();
        int from = codes.at() + (int) ((long) output * codes.inputs() * codes.bits() / Byte.SIZE);
        return codes.bits() == Byte.SIZE
                ? bytes(codes, output * groups, groups, from, row.values())
                : halves(codes, output * groups, groups, from, row.values(), row.sums());
    }

    private static float bytes(Codes codes, int first, int groups, int from, float[] row) {
        byte[] stored = codes.codes();
        int group = codes.group();
        FloatVector total = FloatVector.zero(FLOATS);
        for (int number = 0; number < groups; number++) {
            float zero = codes.zeros()[codes.atZeros() + first + number] & 0xFF;
            FloatVector even = FloatVector.zero(FLOATS);
            FloatVector odd = FloatVector.zero(FLOATS);
            for (int place = number * group; place < (number + 1) * group; place += 2 * LANES) {
                even = floats(ints(stored, from + place))
                        .sub(zero)
                        .fma(FloatVector.fromArray(FLOATS, row, place), even);
                odd = floats(ints(stored, from + place + LANES))
                        .sub(zero)
                        .fma(FloatVector.fromArray(FLOATS, row, place + LANES), odd);
            }
            FloatVector scale = FloatVector.broadcast(FLOATS, codes.scales()[codes.atScales() + first + number]);
            total = even.add(odd).fma(scale, total);
        }
        return total.reduceLanes(VectorOperators.ADD);
    }

    /** @param sums the sums of the inputs of each group, of which the zero points subtract a multiple */
    private static float halves(Codes codes, int first, int groups, int from, float[] row, float[] sums) {
        byte[] stored = codes.codes();
        int half = codes.inputs() / 2;
        int bytes = codes.group() / 2;
        FloatVector total = FloatVector.zero(FLOATS);
        float less = 0;
        for (int number = 0; number < groups; number++) {
            FloatVector even = FloatVector.zero(FLOATS);
            FloatVector odd = FloatVector.zero(FLOATS);
            for (int place = number * bytes; place < (number + 1) * bytes; place += LANES) {
                IntVector both = ints(stored, from + place);
                even = floats(both.and(LOWER)).fma(FloatVector.fromArray(FLOATS, row, place), even);
                odd = floats(both.lanewise(VectorOperators.LSHR, 4))
                        .fma(FloatVector.fromArray(FLOATS, row, half + place), odd);
            }
            float scale = codes.scales()[codes.atScales() + first + number];
            total = even.add(odd).fma(FloatVector.broadcast(FLOATS, scale), total);
            less += scale * (codes.zeros()[codes.atZeros() + first + number] & 0xFF) * sums[number];
        }
        return total.reduceLanes(VectorOperators.ADD) - less;
    }

    private static IntVector ints(byte[] stored, int at) {
        return (IntVector)
                ByteVector.fromArray(BYTES, stored, at).convertShape(VectorOperators.ZERO_EXTEND_B2I, INTS, 0);
    }

    private static FloatVector floats(IntVector codes) {
        return (FloatVector) codes.convert(VectorOperators.I2F, 0);
    }
}
