package dev.outpost.torch.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class DefinitionTest {
    private static final HostTensor ONE = floats(1);
    private static final HostTensor NAN = floats(Float.NaN);

    private static HostTensor floats(float... values) {
        return HostTensor.of(values, values.length);
    }

    @Test
    void pytorchsResultOfTheDefinitionExplainsADifference() {
        assertTrue(Definition.isMet(ONE, ONE));
        assertFalse(Definition.isMet(ONE, floats(2)));
        assertFalse(Definition.isMet(ONE, NAN));
    }

    @Test
    void amongFiniteNumbersKernelAndDefinitionAgree() {
        assertFalse(Definition.mayDiffer(Stream.of(ONE, ONE, HostTensor.of(new long[] {1}, 1))));
        assertTrue(Definition.mayDiffer(Stream.of(ONE, NAN)));
        assertTrue(Definition.mayDiffer(Stream.of(floats(1, Float.POSITIVE_INFINITY), ONE)));
    }
}
