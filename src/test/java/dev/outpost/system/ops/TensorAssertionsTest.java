package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.Tensor;
import dev.outpost.testing.TensorAssertions;
import dev.outpost.types.DType;
import org.junit.jupiter.api.Test;

class TensorAssertionsTest extends OpsOnAMachine {
    private static String failure(Tensor actual, Tensor expected) {
        return assertThrows(AssertionError.class, () -> TensorAssertions.assertClose(actual, expected))
                .getMessage();
    }

    @Test
    void nearElementsPass() {
        Tensor x = machine.tensor(new float[] {1, 2, 3}, 3);
        TensorAssertions.assertClose(x.add(1e-6), x);
        TensorAssertions.assertEqual(x.clone(), x);
        Tensor nan = machine.tensor(new float[] {Float.NaN, Float.POSITIVE_INFINITY}, 2);
        TensorAssertions.assertEqual(nan.clone(), nan);
        TensorAssertions.assertClose(x.add(0.5), x, 0, 0.5, false);
        TensorAssertions.assertClose(machine.zeros(0), machine.zeros(0));
    }

    @Test
    void aFailureSaysHowManyDifferAndWhereMost() {
        Tensor x = machine.zeros(2, 3);
        Tensor y = machine.tensor(new float[] {0, 0, 0.5f, 0, -2, 0}, 2, 3);
        assertEquals(
                "2 of 6 elements differ (relative 1.3E-6, absolute 1.0E-5); most at [1, 1]: expected 0.0, got -2.0",
                failure(y, x));
        long large = (1L << 60) + 1;
        assertEquals(
                "1 of 1 elements differ (relative 0.0, absolute 0.0); most at [0]: expected 1152921504606846976, got "
                        + large,
                failure(machine.tensor(new long[] {large}, 1), machine.tensor(new long[] {1L << 60}, 1)));
        Tensor nan = machine.tensor(new float[] {Float.NaN}, 1);
        assertEquals(
                "1 of 1 elements differ (relative 1.3E-6, absolute 1.0E-5); most at [0]: expected NaN, got NaN",
                failure(nan, nan));
        assertEquals("shapes differ: expected [2, 3], got [3, 2]", failure(x.mT(), x));
        assertEquals("dtypes differ: expected float32, got float64", failure(x.to(DType.FLOAT64), x));
    }
}
