package dev.outpost.system.tensors;

import dev.outpost.Tensor;
import dev.outpost.ops.ScatterReduce;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests gradients at points where an op is not smooth: PyTorch's conventions. */
class KinkTest extends MockTest {

    /** The gradient of the sum of the results, each multiplied by its position, counted from 1. */
    private void assertGradient(double[] at, UnaryOperator<Tensor> function, double... expected) {
        Tensor x = machine.tensor(at).requiresGrad(true);
        Tensor y = function.apply(x);
        y.mul(counting(y.shape().toArray()).add(1)).sum().backward();
        assertValues(x.shape().toString(), x.grad(), expected);
    }

    @Test
    @Tag("quick")
    void atZero() {
        assertGradient(new double[] {-1, 0, 2}, Tensor::relu, 0, 0, 3);
        assertGradient(new double[] {-1, 0, 2}, Tensor::abs, -1, 0, 3);
        assertGradient(new double[] {-1.5, 0, 2}, Tensor::floor, 0, 0, 0);
        assertGradient(new double[] {-1, 0, 2}, x -> x.pow(0), 0, 0, 0);
        assertGradient(new double[] {-1, 0, 2}, x -> x.pow(2), -2, 0, 12);
        assertGradient(new double[] {1, 0, 2}, x -> counting(3).mul(0).pow(x), 0, 0, 0);
        assertGradient(new double[] {-3, 0, 2}, x -> x.copysign(machine.tensor(new double[] {1, 1, -1})), -1, 0, -3);
    }

    @Test
    void tiesShare() {
        assertGradient(new double[] {1, 2, 3}, x -> x.maximum(machine.tensor(new double[] {2, 2, 2})), 0, 1, 3);
        assertGradient(new double[] {1, 2, 3}, x -> x.minimum(machine.tensor(new double[] {2, 2, 2})), 1, 1, 0);
        assertGradient(new double[] {4, 1, 4}, x -> x.amax(0), 0.5, 0, 0.5);
        assertGradient(new double[] {4, 1, 4}, x -> x.amin(0), 0, 1, 0);
    }

    @Test
    void productsOfZeros() {
        assertGradient(new double[] {2, 0, 3}, Tensor::prod, 0, 6, 0);
        assertGradient(new double[] {2, 0, 0}, Tensor::prod, 0, 0, 0);
        assertGradient(new double[] {2, 3, 4}, Tensor::prod, 12, 8, 6);
        assertGradient(new double[] {2, 3, 0, 5, 0, 7}, x -> x.cumprod(0), 7, 4, 138, 0, 0, 0);
        assertGradient(new double[] {0, 2, 3}, x -> x.cumprod(0), 23, 0, 0);
    }

    @Test
    void runningExtremesAreTheLastOfEquals() {
        assertGradient(new double[] {1, 3, 3, 2}, x -> x.cummax(0).values(), 1, 2, 7, 0);
        assertGradient(new double[] {3, 1, 1, 2}, x -> x.cummin(0).values(), 1, 2, 7, 0);
    }

    @Test
    void scattersOfZerosAndTies() {
        Tensor base = machine.tensor(new double[] {2, 5});
        assertGradient(
                new double[] {0, 3, 4},
                x -> base.scatterReduce(0, indices(0, 0, 1), x, ScatterReduce.PROD, true),
                6,
                0,
                10);
        assertGradient(
                new double[] {0, 0, 4},
                x -> base.scatterReduce(0, indices(0, 0, 1), x, ScatterReduce.PROD, true),
                0,
                0,
                10);
        assertGradient(
                new double[] {7, 7, 4},
                x -> base.scatterReduce(0, indices(0, 0, 1), x, ScatterReduce.AMAX, true),
                0.5,
                0.5,
                0);
        assertGradient(
                new double[] {2, 1, 9},
                x -> base.scatterReduce(0, indices(0, 0, 1), x, ScatterReduce.AMAX, true),
                0.5,
                0,
                2);
    }
}
