package dev.outpost;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.autograd.Autograd;
import dev.outpost.internal.ops.QuantizedPrimitives;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares gradients of products with weights of a few bits with those of the product with the corresponding floats. */
@Tag("quick")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QuantizedGradientTest {
    private static final int ROWS = 3;
    private static final int INPUTS = 16;
    private static final int OUTPUTS = 5;
    private static final int GROUP = 8;
    private static final float TOLERANCE = 1e-5f;

    private RemoteMachine machine;

    @BeforeAll
    void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    void stop() {
        machine.close();
    }

    private record Weights(int bits, Tensor codes, Tensor scales, Tensor zeros, Tensor floats) {
        Tensor multiply(Tensor x) {
            return QuantizedPrimitives.matmul(x, codes, scales, zeros, bits, GROUP);
        }
    }

    private Weights weights(int bits) {
        int groups = INPUTS / GROUP;
        int[] codes = new int[OUTPUTS * INPUTS];
        Arrays.setAll(codes, place -> (place * 37 + 11) % (1 << bits));
        float[] scales = new float[OUTPUTS * groups];
        int[] zeros = new int[OUTPUTS * groups];
        float[] floats = new float[codes.length];
        for (int group = 0; group < scales.length; group++) {
            scales[group] = (1 + group % 3) / 64f;
            zeros[group] = (group * 5 + 3) % (1 << bits);
        }
        for (int place = 0; place < codes.length; place++) {
            floats[place] = (codes[place] - zeros[place / GROUP]) * scales[place / GROUP];
        }
        return new Weights(
                bits,
                bytes(packed(codes, bits), OUTPUTS),
                machine.tensor(scales, OUTPUTS, groups),
                bytes(zeros, OUTPUTS),
                machine.tensor(floats, OUTPUTS, INPUTS));
    }

    private static int[] packed(int[] codes, int bits) {
        int[] bytes = new int[codes.length * bits / Byte.SIZE];
        for (int place = 0; place < codes.length; place++) {
            bytes[place * bits / Byte.SIZE] |= codes[place] << place * bits % Byte.SIZE;
        }
        return bytes;
    }

    private Tensor bytes(int[] values, int rows) {
        return machine.tensor(values, rows, values.length / rows).to(DType.UINT8);
    }

    private static Tensor loss(Tensor product) {
        return product.tanh().pow(2).sum();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void theGradientOfTheRowsIsThatOfTheFloats(int bits) {
        Weights weights = weights(bits);
        float[] values = machine.randn(ROWS, INPUTS).toFloatArray();
        Tensor quantized = machine.tensor(values, ROWS, INPUTS).requiresGrad(true);
        Tensor plain = machine.tensor(values, ROWS, INPUTS).requiresGrad(true);
        loss(weights.multiply(quantized)).backward();
        loss(plain.matmul(weights.floats().transpose(0, 1))).backward();
        assertArrayEquals(plain.grad().toFloatArray(), quantized.grad().toFloatArray(), TOLERANCE);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8})
    void theSecondDerivativeIsThatOfTheFloats(int bits) {
        Weights weights = weights(bits);
        Tensor x = machine.randn(ROWS, INPUTS).mul(0.1);
        float[] wanted = second(x, plain -> plain.matmul(weights.floats().transpose(0, 1)));
        assertArrayEquals(wanted, second(x, weights::multiply), TOLERANCE);
    }

    private interface Product {
        Tensor of(Tensor x);
    }

    private static float[] second(Tensor values, Product product) {
        Tensor x = values.detach().requiresGrad(true);
        Tensor first =
                Autograd.grad(loss(product.of(x)), List.of(x), null, true, true).getFirst();
        first.pow(2).sum().backward();
        return x.grad().toFloatArray();
    }

    @Test
    void aScaleThatNeedsAGradientIsRefused() {
        Weights weights = weights(4);
        Tensor scales = weights.scales().requiresGrad(true);
        Tensor x = machine.randn(ROWS, INPUTS);
        Tensor product = QuantizedPrimitives.matmul(x, weights.codes(), scales, weights.zeros(), 4, GROUP);
        assertEquals(
                "quantized_matmul: no gradient flows to scales; detach() them, or multiply by weights that are floats",
                assertThrows(OutpostException.class, () -> product.sum().backward())
                        .getMessage());
    }
}
