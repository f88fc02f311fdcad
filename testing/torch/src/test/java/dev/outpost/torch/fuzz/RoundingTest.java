package dev.outpost.torch.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.types.DType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class RoundingTest {
    private static HostTensor floats(float... values) {
        return HostTensor.of(values, values.length);
    }

    private static HostTensor exactly(double... values) {
        return HostTensor.of(values, values.length);
    }

    @Test
    void anErrorOfTheSizeOfPyTorchsIsRounding() {
        assertTrue(Rounding.isAsExact(floats(1.003f, 5), floats(0.999f, 5), exactly(1, 5)));
        assertTrue(Rounding.isAsExact(floats(5, 1.003f), floats(5.001f, 1), exactly(5, 1)));
    }

    @Test
    void aLargerOneIsNot() {
        assertFalse(Rounding.isAsExact(floats(1.005f), floats(1.001f), exactly(1)));
        assertFalse(Rounding.isAsExact(floats(1.1f), floats(1), exactly(1)));
    }

    @Test
    void roundedExactValueIsRight() {
        float infinity = Float.POSITIVE_INFINITY;
        assertTrue(Rounding.isRounded(floats(0.1f, infinity), exactly(0.1, 1e40)));
        assertTrue(Rounding.isRounded(exactly(4672).to(DType.FLOAT16), exactly(4670.6)));
        assertFalse(Rounding.isRounded(exactly(4688).to(DType.FLOAT16), exactly(4670.6)));
        assertFalse(Rounding.isRounded(floats(infinity), exactly(1e30)));
        assertFalse(Rounding.isRounded(floats(Float.NaN), exactly(1)));
        assertFalse(Rounding.isRounded(floats(1), floats(1)));
    }

    @Test
    void nanIsNotExplainedByRounding() {
        float infinity = Float.POSITIVE_INFINITY;
        assertFalse(Rounding.isAsExact(floats(Float.NaN), floats(1), exactly(1)));
        assertFalse(Rounding.isAsExact(floats(1), floats(infinity), exactly(2)));
        assertFalse(Rounding.isAsExact(floats(1), floats(Float.NaN), exactly(infinity)));
        assertTrue(Rounding.isAsExact(floats(infinity, 1), floats(infinity, 1.1f), exactly(infinity, 1)));
    }

    @Test
    void whereOneOverflowsTheOthersAreMeasuredAllTheSame() {
        float infinity = Float.POSITIVE_INFINITY;
        assertTrue(Rounding.isAsExact(floats(1, 1.003f), floats(infinity, 0.999f), exactly(1, 1)));
        assertFalse(Rounding.isAsExact(floats(1.1f, 1.003f), floats(infinity, 0.999f), exactly(1, 1)));
        assertFalse(Rounding.isAsExact(floats(infinity, 1), floats(1, 1), exactly(1, 1)));
    }

    @Test
    void equalValuesAreNotJudged() {
        float nan = Float.NaN;
        assertTrue(Rounding.isAsExact(floats(1, nan), floats(nan, nan), exactly(1, 0)));
        assertFalse(Rounding.isAsExact(floats(2, nan), floats(nan, nan), exactly(1, 0)));
    }

    @Test
    void whatPyTorchDoesNotComputeInFloat64CannotBeJudged() {
        assertFalse(Rounding.isAsExact(floats(1), floats(2), floats(1)));
    }

    @Test
    void errorWithinPytorchsOwnSpreadIsRounding() {
        assertTrue(Rounding.isUnsteady(floats(1.001f), exactly(1), exactly(5e-4)));
        assertFalse(Rounding.isUnsteady(floats(1.001f), exactly(1), exactly(1e-4)));
        assertFalse(Rounding.isUnsteady(floats(1.1f), exactly(1), exactly(1)));
        assertFalse(Rounding.isUnsteady(floats(Float.NaN, 1), exactly(1, 1), exactly(1, 1)));
    }

    @Test
    void changeThatAUnitOfAnInputCausesIsRounding() {
        assertTrue(Rounding.isWithinSpread(floats(1.00001f), floats(1), exactly(1e-5)));
        assertFalse(Rounding.isWithinSpread(floats(1.00001f), floats(1), exactly(1e-6)));
        assertFalse(Rounding.isWithinSpread(floats(1.1f), floats(1), exactly(1)));
        assertFalse(Rounding.isWithinSpread(floats(Float.NaN), floats(1), exactly(1)));
    }
}
