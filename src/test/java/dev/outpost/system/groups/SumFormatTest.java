package dev.outpost.system.groups;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.Tensor;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.protocol.message.Feature;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.sharding.SumFormat;
import dev.outpost.types.OutpostException;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SumFormatTest {
    private static final int SIZE = 40;

    private static HostTensor matrix(int rows, int columns, long seed) {
        Random random = new Random(seed);
        float[] values = new float[rows * columns];
        for (int index = 0; index < values.length; index++) {
            values[index] = (float) random.nextGaussian();
        }
        return HostTensor.of(values, rows, columns);
    }

    /** A product whose inner dimension is cut is a sum of two terms. */
    private static float[] product(MachineGroup group) {
        Tensor left = group.sharded(matrix(SIZE, 64, 1), 1);
        Tensor right = group.sharded(matrix(64, SIZE, 2), 0);
        return left.matmul(right).toHost().toFloatArray();
    }

    @ParameterizedTest
    @EnumSource(SumFormat.class)
    void sumsAreWithinTheBoundAndTheirBytesAreCounted(SumFormat format) {
        try (var group = MachineGroup.of("mock", "A100", 2)) {
            float[] exact = product(group);
            long before = group.stats().totalBytes();
            group.sumFormat(format);
            float[] sum = product(group);
            float largest = 0;
            for (float each : exact) {
                largest = Math.max(largest, Math.abs(each));
            }
            // One term and the sum are rounded; a term is at most twice the largest sum here.
            double step = switch (format) {
                case EXACT -> 1e-6;
                case BFLOAT16 -> 1 / 256.0;
                case INT8 -> 1 / 254.0;
                case INT4 -> 1 / 14.0;
            };
            assertArrayEquals(exact, sum, (float) (3 * largest * step));
            int elements = SIZE * SIZE;
            Map<SumFormat, Long> bytes = Map.of(
                    SumFormat.EXACT,
                    4L * elements,
                    SumFormat.BFLOAT16,
                    2L * elements,
                    SumFormat.INT8,
                    elements + 4L * elements / 64,
                    SumFormat.INT4,
                    elements / 2 + 4L * elements / 64);
            assertEquals(bytes.get(format), group.stats().totalBytes() - before);
        }
    }

    /** Before and after the machines have started. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMachineThatCannotRoundEndsTheGroupByItsVersion(boolean isThere) {
        ProtocolVersions lacking = ProtocolVersions.CURRENT.without(Set.of(Feature.ROUNDED_SUMS));
        MockProvider provider = new MockProvider(MockSettings.STANDARD.withDialect(lacking));
        try (var group = MachineGroup.of(provider, "A100", 2, new MachineOptions())) {
            if (isThere) {
                assertEquals(SIZE * SIZE, product(group).length);
            }
            group.sumFormat(SumFormat.INT8);
            OutpostException refused = assertThrows(OutpostException.class, () -> product(group));
            String expected =
                    "the machine speaks protocol 8.1 and cannot take sums that travel rounded; use a newer one";
            assertTrue(refused.getMessage().contains(expected), refused.getMessage());
        }
    }

    @Test
    void smallSumsStayExact() {
        try (var group = MachineGroup.of("mock", "A100", 2)) {
            group.sumFormat(SumFormat.INT4);
            assertEquals(
                    21.0,
                    group.sharded(HostTensor.of(new float[] {1, 2, 3, 4, 5, 6}, 6), 0)
                            .sum()
                            .item());
            assertTrue(group.stats().collectives().containsKey("all_reduce"), group.stats()::toString);
        }
    }
}
