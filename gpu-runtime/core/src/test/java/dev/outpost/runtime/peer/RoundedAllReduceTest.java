package dev.outpost.runtime.peer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.WireFormat;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RoundedAllReduceTest {
    private static final int MEMBERS = 3;
    private static final int ELEMENTS = 10_007;

    @ParameterizedTest
    @EnumSource(WireFormat.class)
    void theSumIsWithinTheBoundAndEqualOnAllMembers(WireFormat format) throws Exception {
        List<float[]> terms = new ArrayList<>();
        Random random = new Random(5);
        for (int member = 0; member < MEMBERS; member++) {
            float[] values = new float[ELEMENTS];
            for (int index = 0; index < ELEMENTS; index++) {
                values[index] = (float) random.nextGaussian();
            }
            terms.add(values);
        }
        List<ExchangeResult> sums = PeerMembers.exchange(MEMBERS, rank -> op(format), rank -> bytes(terms.get(rank)));
        float[] sum = floats(sums.getFirst().elements());
        for (ExchangeResult each : sums) {
            assertArrayEquals(sums.getFirst().elements(), each.elements());
        }
        for (int index = 0; index < ELEMENTS; index++) {
            double exact = 0;
            double bound = 1e-6;
            for (float[] term : terms) {
                exact += term[index];
                bound += step(format, term, index);
            }
            // The sum is rounded by its own group, whose largest magnitude is at most that of all terms together.
            bound += stepOfSum(format, terms, index);
            assertEquals(exact, sum[index], bound, format + " " + index);
        }
    }

    /** The stated bound of one rounding, by the largest magnitude within a group's distance. */
    private static double step(WireFormat format, float[] values, int index) {
        return switch (format) {
            case EXACT -> 0;
            case BFLOAT16 -> Math.abs(values[index]) / 256;
            case INT8 -> largest(values, index) / 254;
            case INT4 -> largest(values, index) / 14;
        };
    }

    private static double stepOfSum(WireFormat format, List<float[]> terms, int index) {
        double largest = 0;
        for (float[] term : terms) {
            largest += largest(term, index) * (1 + (format == WireFormat.INT4 ? 1.0 / 14 : 1.0 / 127));
        }
        return switch (format) {
            case EXACT -> 0;
            case BFLOAT16 -> largest / 256;
            case INT8 -> largest / 254;
            case INT4 -> largest / 14;
        };
    }

    private static double largest(float[] values, int index) {
        double largest = 0;
        for (int near = Math.max(0, index - WireFormat.GROUP);
                near < Math.min(values.length, index + WireFormat.GROUP);
                near++) {
            largest = Math.max(largest, Math.abs(values[near]));
        }
        return largest;
    }

    @Test
    void sizesOnTheWayCountTheScales() {
        assertEquals(400, WireFormat.EXACT.bytes(100));
        assertEquals(200, WireFormat.BFLOAT16.bytes(100));
        assertEquals(100 + 8, WireFormat.INT8.bytes(100));
        assertEquals(50 + 8, WireFormat.INT4.bytes(100));
        assertEquals(0, WireFormat.INT4.bytes(0));
    }

    @ParameterizedTest
    @EnumSource(
            value = WireFormat.class,
            names = {"INT8", "INT4"})
    void theLargestMagnitudeOfAGroupIsExact(WireFormat format) {
        float[] values = new float[130];
        values[3] = -14;
        values[70] = 127;
        byte[] back = new byte[4 * values.length];
        byte[] packed = FloatPacking.pack(format, bytes(values), 0, values.length);
        assertEquals(format.bytes(values.length), packed.length);
        FloatPacking.unpack(format, packed, back, 0, values.length);
        assertArrayEquals(values, floats(back), 1e-5f);
    }

    @ParameterizedTest
    @EnumSource(WireFormat.class)
    void whatIsNotFiniteIsNotHidden(WireFormat format) {
        float[] values = new float[100];
        values[20] = Float.POSITIVE_INFINITY;
        values[80] = Float.NaN;
        byte[] back = new byte[4 * values.length];
        FloatPacking.unpack(format, FloatPacking.pack(format, bytes(values), 0, values.length), back, 0, values.length);
        float[] came = floats(back);
        assertTrue(!Float.isFinite(came[20]) && Float.isNaN(came[80]), format::toString);
    }

    private static Collective op(WireFormat format) {
        return Collective.rounded(
                new TensorType(DType.FLOAT32, Shape.of(ELEMENTS)),
                IntStream.range(0, MEMBERS).boxed().toList(),
                format,
                1,
                1);
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
