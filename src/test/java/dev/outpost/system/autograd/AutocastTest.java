package dev.outpost.system.autograd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.Autocast;
import dev.outpost.nn.Conv2d;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.nn.Parameter;
import dev.outpost.optim.GradScaler;
import dev.outpost.optim.SGD;
import dev.outpost.system.Closeness;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AutocastTest {
    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    @Test
    void productsAreLowAndWhatNeedsMoreIsFloat32() {
        Linear linear = new Linear(4, 3);
        linear.to(machine);
        Conv2d conv = new Conv2d(1, 2, 3);
        conv.to(machine);
        Tensor input = machine.randn(2, 4);
        Autocast.with(DType.BFLOAT16, () -> {
            Tensor output = linear.forward(input);
            assertEquals(DType.BFLOAT16, output.dtype());
            assertEquals(DType.BFLOAT16, conv.forward(machine.randn(1, 1, 4, 4)).dtype());
            assertEquals(DType.BFLOAT16, output.relu().dtype());
            assertEquals(DType.FLOAT32, output.softmax(-1).dtype());
            assertEquals(DType.FLOAT32, output.sum().dtype());
            assertEquals(DType.FLOAT32, output.exp().dtype());
            assertEquals(DType.BFLOAT16, output.matmul(machine.randn(3, 2)).dtype());
            assertEquals(
                    DType.FLOAT64,
                    input.float64().matmul(machine.randn(4, 2).float64()).dtype());
            assertEquals(
                    DType.FLOAT32,
                    Autocast.<Tensor>without(() -> linear.forward(input)).dtype());
            return null;
        });
        assertFalse(Autocast.isEnabled());
        assertEquals(DType.FLOAT32, linear.forward(input).dtype());
        assertThrows(OpException.class, () -> Autocast.with(DType.FLOAT64, () -> input));
    }

    @Test
    void gradientsOfParametersStayFloat32AndCloseToTheExactOnes() {
        Linear linear = new Linear(8, 3);
        linear.to(machine.manualSeed(3));
        Tensor input = machine.randn(5, 8);
        Tensor target = machine.tensor(new long[] {0, 2, 1, 0, 1});
        Functional.crossEntropy(linear.forward(input), target).backward();
        double[] exact = linear.weight().grad().toDoubleArray();
        linear.zeroGrad();
        Autocast.<Tensor>with(DType.BFLOAT16, () -> Functional.crossEntropy(linear.forward(input), target))
                .backward();
        assertEquals(DType.FLOAT32, linear.weight().grad().dtype());
        double[] low = linear.weight().grad().toDoubleArray();
        for (int index = 0; index < exact.length; index++) {
            assertEquals(exact[index], low[index], 0.02);
        }
    }

    @Test
    void aProgramIsCastOnlyByWhatItsFunctionSays() {
        Tensor input = machine.ones(2, 2);
        var plain = machine.program(in -> List.of(in.getFirst().matmul(in.getFirst())));
        var cast = machine.program(in -> List.of(
                Autocast.<Tensor>with(DType.BFLOAT16, () -> in.getFirst().matmul(in.getFirst()))));
        assertEquals(
                DType.FLOAT32,
                Autocast.<Tensor>with(DType.BFLOAT16, () -> plain.call(input).getFirst())
                        .dtype());
        assertEquals(DType.BFLOAT16, cast.call(input).getFirst().dtype());
    }

    @Test
    void aScalerUnscalesBeforeTheStep() {
        Parameter parameter = Parameter.of(machine.tensor(new double[] {1, 2}));
        SGD optimizer = new SGD(List.of(parameter), 0.5);
        GradScaler scaler = new GradScaler();
        assertEquals(65536, scaler.scale());
        scaler.scale(parameter.tensor().mul(3).sum()).backward();
        Closeness.assertClose(new double[] {196608, 196608}, parameter.grad());
        assertTrue(scaler.step(optimizer));
        scaler.update();
        Closeness.assertClose(new double[] {-0.5, 0.5}, parameter.tensor());
        assertEquals(65536, scaler.scale());
    }

    @Test
    void aStepWithAnInfiniteGradientIsLeftOutAndTheScaleHalved() {
        Parameter parameter = Parameter.of(machine.tensor(new double[] {1, 2}));
        SGD optimizer = new SGD(List.of(parameter), 0.5);
        GradScaler scaler = new GradScaler(new GradScaler.Options(8, 2, 0.5, 2));
        scaler.scale(parameter.tensor().mul(Double.POSITIVE_INFINITY).sum()).backward();
        assertFalse(scaler.step(optimizer));
        scaler.update();
        assertEquals(4, scaler.scale());
        Closeness.assertClose(new double[] {1, 2}, parameter.tensor());
        for (int step = 0; step < 2; step++) {
            optimizer.zeroGrad();
            scaler.scale(parameter.tensor().sum()).backward();
            scaler.unscale(optimizer);
            Closeness.assertClose(new double[] {1, 1}, parameter.grad());
            assertTrue(scaler.step(optimizer));
            scaler.update();
        }
        assertEquals(8, scaler.scale());
        GradScaler other = new GradScaler();
        other.loadStateDict(scaler.stateDict());
        assertEquals(scaler.stateDict(), other.stateDict());
    }
}
