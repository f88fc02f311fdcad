package dev.outpost.system.autograd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.functional.Transforms;
import dev.outpost.system.Closeness;
import dev.outpost.types.OpException;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Transforms of y = (x0 · x1, x0², 3), whose Jacobian is ((x1, x0), (2 x0, 0), (0, 0)), and of z = x0² · x1. */
class TransformsTest {
    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    private static Tensor at(double... values) {
        return machine.tensor(values).float64();
    }

    private static Tensor function(Tensor x) {
        Tensor first = x.select(0, 0);
        return dev.outpost.Tensors.stack(
                first.mul(x.select(0, 1)), first.square(), first.mul(0).add(3));
    }

    private static final UnaryOperator<Tensor> CUBIC =
            x -> x.select(0, 0).square().mul(x.select(0, 1));

    @Test
    void productsWithTheJacobian() {
        Transforms.Product vjp = Transforms.vjp(TransformsTest::function, at(2, 5), at(1, 10, 100));
        Closeness.assertClose(new double[] {10, 4, 3}, vjp.output());
        Closeness.assertClose(new double[] {45, 2}, vjp.product());
        Transforms.Product jvp = Transforms.jvp(TransformsTest::function, at(2, 5), at(1, 10));
        Closeness.assertClose(new double[] {25, 4, 0}, jvp.product());
        assertEquals(
                "jvp: the vector must have the shape [2], got [3]",
                assertThrows(OpException.class, () -> Transforms.jvp(TransformsTest::function, at(2, 5), at(1, 1, 1)))
                        .getMessage());
    }

    @Test
    void jacobiansAndHessians() {
        Tensor jacobian = Transforms.jacobian(TransformsTest::function, at(2, 5));
        assertArrayEquals(new long[] {3, 2}, jacobian.shape().toArray());
        Closeness.assertClose(new double[] {5, 2, 4, 0, 0, 0}, jacobian);
        Closeness.assertClose(new double[] {10, 4, 4, 0}, Transforms.hessian(CUBIC, at(2, 5)));
        Transforms.Product hvp = Transforms.hvp(CUBIC, at(2, 5), at(1, 2));
        Closeness.assertClose(new double[] {18, 4}, hvp.product());
        List<Tensor> both = Transforms.jacobian(in -> in.get(0).mul(in.get(1)), List.of(at(2, 3), at(5, 7)));
        Closeness.assertClose(new double[] {5, 0, 0, 7}, both.get(0));
        Closeness.assertClose(new double[] {2, 0, 0, 3}, both.get(1));
    }

    @Test
    void transformsNest() {
        UnaryOperator<Tensor> quartic = x -> x.pow(4).sum();
        UnaryOperator<Tensor> second =
                Transforms.grad(x -> Transforms.grad(quartic).apply(x).sum());
        Closeness.assertClose(new double[] {48}, second.apply(at(2)));
        UnaryOperator<Tensor> third = Transforms.grad(x -> second.apply(x).sum());
        Closeness.assertClose(new double[] {48}, third.apply(at(2)));
    }

    @Test
    void unusedInputsHaveZerosAndCapturedTensorsAreConstant() {
        Tensor captured = at(7).requiresGrad(true);
        Closeness.assertClose(
                new double[] {0}, Transforms.grad(x -> captured.sum()).apply(at(2)));
        Closeness.assertClose(
                new double[] {7}, Transforms.grad(x -> captured.mul(x).sum()).apply(at(2)));
        assertEquals(null, captured.grad());
        assertThrows(OpException.class, () -> Transforms.grad(x -> x).apply(at(1, 2)));
    }

    @Test
    void transformsArePartsOfPrograms() {
        var program = machine.program(in -> List.of(Transforms.hessian(CUBIC, in.getFirst())));
        Closeness.assertClose(new double[] {10, 4, 4, 0}, program.call(at(2, 5)).getFirst());
    }
}
