package dev.outpost.internal.gradients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.Tensor;
import dev.outpost.internal.TensorState;
import dev.outpost.internal.gradients.Gradient.Saves;
import org.junit.jupiter.api.Test;

class GradientTest {
    /** The core creates arrays of states; the rules for several outputs take arrays of tensors. */
    @Test
    void aRuleForSeveralOutputsGetsAnArrayOfTensors() {
        Gradient gradient = Gradient.ofOutputs(Saves.NOTHING, (node, gradients) -> gradients);
        TensorState[] results = gradient.backwardOf(null, new TensorState[2]);
        assertEquals(Tensor[].class, results.getClass());
        assertEquals(2, results.length);
    }
}
