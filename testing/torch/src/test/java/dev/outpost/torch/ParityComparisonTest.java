package dev.outpost.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.HostTensor;
import dev.outpost.types.DType;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("quick")
class ParityComparisonTest {
    private static HostTensor doubles(double... values) {
        return HostTensor.of(values);
    }

    private static void assertDifference(String expected, HostTensor actual, HostTensor wanted) {
        assertEquals(Optional.of(expected), ParityComparison.firstDifference(actual, wanted));
    }

    private static void assertSame(HostTensor actual, HostTensor wanted) {
        assertEquals(Optional.empty(), ParityComparison.firstDifference(actual, wanted));
    }

    @Test
    void dtypeAndShapeAreExact() {
        assertDifference("dtype: got float64, expected float32", doubles(1), HostTensor.of(new float[] {1}));
        assertDifference("shape: got [1], expected []", doubles(1), HostTensor.scalar(1.0));
    }

    @ParameterizedTest
    @CsvSource({
        "FLOAT32, 1000, 1000.0012, 1000.0015",
        "FLOAT64, 1000, 1000.0001, 1000.0002",
        "FLOAT16, 1000, 1001, 1002",
        "BFLOAT16, 128, 130, 131",
        "INT64, 1000, 1000, 1001",
        "UINT8, 10, 10, 11"
    })
    void valuesMayDifferByTheTolerance(DType dtype, double wanted, double near, double far) {
        assertSame(doubles(near).to(dtype), doubles(wanted).to(dtype));
        assertEquals(
                true,
                ParityComparison.firstDifference(
                                doubles(far).to(dtype), doubles(wanted).to(dtype))
                        .isPresent());
    }

    @Test
    void theFirstDifferenceNamesItsPlace() {
        assertDifference(
                "element [1, 0]: got 3.5, expected 3.0 within 4.0e-07",
                doubles(1, 2, 3.5, 9).reshape(2, 2),
                doubles(1, 2, 3, 4).reshape(2, 2));
        assertDifference("element []: got 0, expected 1", HostTensor.scalar(false), HostTensor.scalar(true));
    }

    @Test
    void nanEqualsNanAndInfinityItself() {
        double infinity = Double.POSITIVE_INFINITY;
        assertSame(doubles(Double.NaN, infinity, -infinity), doubles(Double.NaN, infinity, -infinity));
        assertDifference("element [0]: got 1.0, expected NaN", doubles(1), doubles(Double.NaN));
        assertDifference("element [0]: got 1.0E300, expected Infinity", doubles(1e300), doubles(infinity));
        assertDifference("element [0]: got NaN, expected 1.0 within 2.0e-07", doubles(Double.NaN), doubles(1));
    }

    @Test
    void neighbouringLongsDiffer() {
        assertDifference(
                "element [0]: got 9007199254740993, expected 9007199254740992",
                HostTensor.of(new long[] {(1L << 53) + 1}),
                HostTensor.of(new long[] {1L << 53}));
    }
}
