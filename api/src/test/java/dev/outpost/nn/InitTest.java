package dev.outpost.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class InitTest {
    private static final Shape LINEAR = Shape.of(128, 64);
    private static final Shape CONVOLUTION = Shape.of(16, 8, 3, 3);

    @Test
    void fansCountTheReceptiveField() {
        assertEquals(64, Fan.IN.of(LINEAR));
        assertEquals(128, Fan.OUT.of(LINEAR));
        assertEquals(72, Fan.IN.of(CONVOLUTION));
        assertEquals(144, Fan.OUT.of(CONVOLUTION));
    }

    @Test
    void aVectorHasNoFan() {
        OpException refusal = assertThrows(OpException.class, () -> Fan.IN.of(Shape.of(3)));
        assertEquals("fan: a weight needs two dimensions or more, got [3]", refusal.getMessage());
    }

    @Test
    void gainsArePyTorchs() {
        assertEquals(Math.sqrt(2), Nonlinearity.RELU.gain(0));
        assertEquals(5.0 / 3, Nonlinearity.TANH.gain(0));
        assertEquals(Math.sqrt(2 / 1.04), Nonlinearity.LEAKY_RELU.gain(0.2));
    }

    /** A linear layer's kaimingUniform(a = √5) is uniform within ±1/√fanIn. */
    @Test
    void aLinearLayersWeightsAreWithinOneOverTheRootOfItsInputs() {
        double deviation = Init.kaimingDeviation(LINEAR, Math.sqrt(5), Fan.IN, Nonlinearity.LEAKY_RELU);
        assertEquals(1 / Math.sqrt(64), Math.sqrt(3) * deviation, Math.ulp(1.0));
    }

    @Test
    void xavierTakesBothFans() {
        assertEquals(Math.sqrt(2.0 / 192), Init.xavierDeviation(LINEAR, 1));
    }
}
