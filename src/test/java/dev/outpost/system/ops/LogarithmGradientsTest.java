package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.Tensor;
import dev.outpost.autograd.Autograd;
import dev.outpost.types.DType;
import java.util.List;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests logarithms at the edges of their domains against PyTorch: values, gradients of both operands, dtypes. */
class LogarithmGradientsTest extends OpsOnAMachine {
    private static final double[] X = {0, 0, 0, 0, 1, 2, 0, -0.0};
    private static final double[] Y = {0, -1, NAN, INF, 0, 3, 2, 5};

    /** Value, gradient of x, gradient of y. */
    private static void assertGradients(
            BinaryOperator<Tensor> op, double[] x, double[] y, double[] value, double[] ofX, double[] ofY) {
        Tensor left = doubles(x).requiresGrad(true);
        Tensor right = doubles(y).requiresGrad(true);
        Tensor result = op.apply(left, right);
        result.sum().backward();
        assertValues(result.detach(), value);
        assertValues(left.grad(), ofX);
        assertValues(right.grad(), ofY);
    }

    @Test
    @Tag("quick")
    void xlogy() {
        assertGradients(
                Tensor::xlogy,
                X,
                Y,
                new double[] {0, 0, NAN, 0, -INF, 2 * Math.log(3), 0, 0},
                new double[] {0, 0, NAN, INF, -INF, Math.log(3), Math.log(2), Math.log(5)},
                new double[] {NAN, -0.0, NAN, 0, INF, 2.0 / 3, 0, 0});
    }

    @Test
    void xlog1py() {
        assertGradients(
                Tensor::xlog1py,
                X,
                Y,
                new double[] {0, 0, NAN, 0, 0, 2 * Math.log(4), 0, 0},
                new double[] {0, 0, NAN, INF, 0, Math.log(4), Math.log(3), Math.log(6)},
                new double[] {0, NAN, NAN, 0, 1, 0.5, 0, 0});
    }

    @Test
    void gradientsAreSummedToWhatWasBroadcast() {
        Tensor x = doubles(0, 2).requiresGrad(true);
        Tensor y = doubles(3).view(1, 1).clone().requiresGrad(true);
        x.xlogy(y).sum().backward();
        assertValues(x.grad(), Math.log(3), Math.log(3));
        assertValues(y.grad(), 2.0 / 3);
    }

    @Test
    void numbersAreTakenToo() {
        assertValues(longs(5, 0, 2).xlogy(3), 5 * Math.log(3), 0, 2 * Math.log(3));
        assertValues(slope(x -> x.xlogy(0), 0, 1), 0, -INF);
        assertValues(floats(1, 0).float16().xlogy(1e6), INF, 0);
    }

    @Test
    void theDTypeIsThatOfBoth() {
        Tensor bytes = longs(1, 2).uint8();
        assertEquals(DType.FLOAT32, bytes.xlogy(bools(true, true)).dtype());
        assertEquals(DType.FLOAT16, bytes.xlogy(bytes.float16()).dtype());
        assertEquals(DType.FLOAT16, bytes.float16().xlogy(bytes).dtype());
        assertEquals(DType.FLOAT64, bools(true, false).xlogy(bytes.float64()).dtype());
        assertEquals(DType.FLOAT32, bytes.xlogy(3).dtype());
        assertEquals(DType.FLOAT32, bytes.xlog1py(bools(true, true)).dtype());
    }

    @Test
    void theLogarithmIsTakenInTheCommonDType() {
        assertValues(doubles(1).xlogy(longs(3)), Math.log(3));
        assertValues(longs(1).xlogy(doubles(3)), Math.log(3));
        assertValues(floats(1000).xlogy(longs(3).float16()), 1000 * Math.log(3));
        assertValues(doubles(1).xlog1py(longs(2)), Math.log(3));
    }

    @Test
    void gradientsHaveGradients() {
        Tensor x = doubles(2).requiresGrad(true);
        Tensor y = doubles(3).requiresGrad(true);
        Tensor ofY =
                Autograd.grad(x.xlogy(y).sum(), List.of(y), null, true, true).getFirst();
        ofY.sum().backward();
        assertValues(x.grad(), 1.0 / 3);
        assertValues(y.grad(), -2.0 / 9);
    }

    @Test
    void entropy() {
        assertValues(doubles(0, 1, -1, NAN, INF).entr(), 0, 0, -INF, NAN, -INF);
        assertValues(slope(Tensor::entr, 0, 1, -1, NAN, INF, 0.5), INF, -1, NAN, NAN, -INF, -1 - Math.log(0.5));
    }

    @Test
    void logaddexp() {
        double[] x = {0, INF, -INF, INF, -INF, 1};
        double[] y = {0, INF, -INF, -INF, 1, 1};
        assertGradients(
                Tensor::logaddexp,
                x,
                y,
                new double[] {Math.log(2), INF, -INF, INF, 1, 1 + Math.log(2)},
                new double[] {0.5, NAN, NAN, 1, 0, 0.5},
                new double[] {0.5, NAN, NAN, 0, 1, 0.5});
        assertGradients(
                Tensor::logaddexp2,
                x,
                y,
                new double[] {1, INF, -INF, INF, 1, 2},
                new double[] {0.5, NAN, NAN, 1, 0, 0.5},
                new double[] {0.5, NAN, NAN, 0, 1, 0.5});
    }

    @Test
    void logaddexpPromotes() {
        Tensor sum = bools(true, false).logaddexp(floats(1, 0));
        assertEquals(DType.FLOAT32, sum.dtype());
        assertValues(sum, 1 + Math.log(2), Math.log(2));
        assertValues(doubles(1).logaddexp2(bools(true)), 2);
    }
}
