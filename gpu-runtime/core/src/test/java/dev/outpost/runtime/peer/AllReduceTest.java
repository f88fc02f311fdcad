package dev.outpost.runtime.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.op.Collective;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AllReduceTest {
    /** Sizes below, at and above the bounds of an eager message and of a piece. */
    private static final int[] ELEMENTS = {0, 1, 5, 1023, 1024, 16_384, 16_385, 131_072, 131_073, 700_001};

    @ParameterizedTest
    @CsvSource({"2", "3", "5", "9"})
    void everyMemberHasTheSum(int members) throws Exception {
        for (int elements : ELEMENTS) {
            List<byte[]> terms = terms(members, elements, members + elements);
            List<ExchangeResult> sums = sums(terms);
            float[] exact = exact(terms);
            for (ExchangeResult sum : sums) {
                assertArrayEquals(exact, floats(sum.elements()), members * 1e-6f, members + "x" + elements);
                assertArrayEquals(sums.getFirst().elements(), sum.elements());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"3, 200000", "9, 200000", "9, 100", "3, 100"})
    void twoRunsHaveTheSameBits(int members, int elements) throws Exception {
        List<byte[]> terms = terms(members, elements, 7);
        assertArrayEquals(
                sums(terms).getFirst().elements(), sums(terms).getLast().elements());
    }

    @Test
    void theAlgorithmFollowsFromBytesAndMembersAlone() {
        assertEquals(Algorithm.ONE_STEP, Algorithm.of(4000, 8));
        assertEquals(Algorithm.TREE, Algorithm.of(4000, 9));
        assertEquals(Algorithm.DIRECT, Algorithm.of(4096, 8));
        assertEquals(Algorithm.RING, Algorithm.of(4096, 9));
        assertEquals(8, Algorithm.TREE.steps(9));
        assertEquals(16, Algorithm.RING.steps(9));
    }

    /** In any other order a different term would be rounded away. */
    @Test
    void aSumOfManyMembersIsTakenRoundTheRing() throws Exception {
        int members = 9;
        float[] values = {1e8f, 1, -1e8f, 3, 1e8f, 1, 1, -1e8f, 2};
        int elements = 9 * 1024;
        List<byte[]> terms = IntStream.range(0, members)
                .mapToObj(member -> {
                    float[] all = new float[elements];
                    Arrays.fill(all, values[member]);
                    return bytes(all);
                })
                .toList();
        float[] sum = floats(sums(terms).getFirst().elements());
        for (int chunk = 0; chunk < members; chunk++) {
            float expected = values[chunk];
            for (int after = 1; after < members; after++) {
                expected += values[(chunk + after) % members];
            }
            assertEquals(expected, sum[chunk * 1024], "chunk " + chunk);
        }
    }

    @ParameterizedTest
    @EnumSource(value = DType.class, names = "BOOL", mode = EnumSource.Mode.EXCLUDE)
    void allTypesAreAdded(DType dtype) throws Exception {
        int elements = 3001;
        byte[] ones = new byte[elements * dtype.bytes()];
        byte[] threes = new byte[ones.length];
        for (int at = 0; at < ones.length; at += dtype.bytes()) {
            put(dtype, ones, at, 1);
            put(dtype, threes, at, 3);
        }
        List<ExchangeResult> sums = PeerMembers.exchange(3, rank -> sum(dtype, elements, 3), rank -> ones);
        for (ExchangeResult sum : sums) {
            assertArrayEquals(threes, sum.elements());
        }
    }

    private static void put(DType dtype, byte[] into, int at, int value) {
        ByteBuffer buffer = ByteBuffer.wrap(into).order(ByteOrder.LITTLE_ENDIAN);
        switch (dtype) {
            case FLOAT32 -> buffer.putFloat(at, value);
            case FLOAT64 -> buffer.putDouble(at, value);
            case FLOAT16 -> buffer.putShort(at, Float.floatToFloat16(value));
            case BFLOAT16 -> buffer.putShort(at, (short) (Float.floatToIntBits(value) >>> 16));
            case INT64 -> buffer.putLong(at, value);
            case INT32 -> buffer.putInt(at, value);
            case INT16 -> buffer.putShort(at, (short) value);
            case INT8, UINT8 -> buffer.put(at, (byte) value);
            case BOOL -> throw new IllegalArgumentException("bool has no sum");
        }
    }

    @ParameterizedTest
    @CsvSource({"3, 10", "3, 100000", "9, 10", "9, 100000"})
    void aFaultOfAnyMemberTakesTheResultOfAll(int members, int elements) throws Exception {
        Fault fault = FaultMessages.of(FaultKind.USER, "index: 7 is out of range");
        for (int failing = 0; failing < members; failing += 2) {
            int lost = failing;
            List<PeerGroup> groups = PeerMembers.groups(members);
            List<ExchangeResult> results = PeerMembers.onAll(
                    members,
                    rank -> groups.get(rank)
                            .exchange(
                                    sum(DType.FLOAT32, elements, members),
                                    Shape.of(elements),
                                    new byte[4 * elements],
                                    rank == lost ? Optional.of(fault) : Optional.empty()));
            results.forEach(result -> assertEquals(Optional.of(fault), result.fault()));
        }
    }

    // ---- members

    private static List<ExchangeResult> sums(List<byte[]> terms) throws Exception {
        int elements = terms.getFirst().length / Float.BYTES;
        return PeerMembers.exchange(terms.size(), rank -> sum(DType.FLOAT32, elements, terms.size()), terms::get);
    }

    private static Collective sum(DType dtype, int elements, int members) {
        return new Collective(
                Collective.Fn.ALL_REDUCE,
                new TensorType(dtype, Shape.of(elements)),
                IntStream.range(0, members).boxed().toList(),
                Optional.empty(),
                Optional.empty(),
                1,
                1);
    }

    private static List<byte[]> terms(int members, int elements, long seed) {
        Random random = new Random(seed);
        return IntStream.range(0, members)
                .mapToObj(member -> {
                    float[] values = new float[elements];
                    for (int index = 0; index < elements; index++) {
                        values[index] = random.nextFloat() - 0.5f;
                    }
                    return bytes(values);
                })
                .toList();
    }

    private static float[] exact(List<byte[]> terms) {
        double[] sum = new double[terms.getFirst().length / Float.BYTES];
        for (byte[] term : terms) {
            float[] values = floats(term);
            for (int index = 0; index < sum.length; index++) {
                sum[index] += values[index];
            }
        }
        float[] rounded = new float[sum.length];
        for (int index = 0; index < sum.length; index++) {
            rounded[index] = (float) sum[index];
        }
        return rounded;
    }

    private static byte[] bytes(float[] values) {
        ByteBuffer buffer = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.asFloatBuffer().put(values);
        return buffer.array();
    }

    private static float[] floats(byte[] elements) {
        float[] values = new float[elements.length / Float.BYTES];
        ByteBuffer.wrap(elements).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(values);
        return values;
    }
}
