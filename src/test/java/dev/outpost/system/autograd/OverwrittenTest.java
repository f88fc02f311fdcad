package dev.outpost.system.autograd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.Index;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.nn.Parameter;
import dev.outpost.optim.SGD;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** If a tensor is wholly overwritten, the gradient of its old contents is zeros, as in PyTorch, and not missing. */
class OverwrittenTest {
    private static RemoteMachine machine;

    @BeforeAll
    static void open() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void close() {
        machine.close();
    }

    private static Tensor constant() {
        return machine.tensor(new double[] {4, 5, 6});
    }

    private static Arguments write(String name, Consumer<Tensor> write) {
        return Arguments.of(name, write);
    }

    static Stream<Arguments> writes() {
        return Stream.of(
                write("zero_", Tensor::zero_),
                write("fill_", y -> y.fill_(5)),
                write("fill_ with a tensor", y -> y.fill_(machine.scalar(5))),
                write("copy_", y -> y.copy_(constant())),
                write("copy_ of integers", y -> y.copy_(machine.tensor(new long[] {1, 2, 3}))),
                write("copy_ of what broadcasts", y -> y.copy_(machine.scalar(1))),
                write("copy_ of its own values", y -> y.copy_(y.detach())),
                write("copy_ of a comparison", y -> y.copy_(y.eq(1))),
                write("set of all", y -> y.set(5, Index.all())),
                write("set of all with a tensor", y -> y.set(constant(), Index.ellipsis())),
                write("set of all by index", y -> y.set(5, Index.of(machine.arange(3)))),
                write("set of all by mask", y -> y.set(5, Index.of(machine.tensor(new boolean[] {true, true, true})))),
                write("a view of all", y -> y.view(3, 1).copy_(machine.ones(3, 1))),
                write("all in two parts", y -> {
                    y.narrow(0, 0, 2).fill_(1);
                    y.narrow(0, 2, 1).fill_(1);
                }),
                write("scatter_", y -> y.scatter_(0, machine.arange(3), constant())),
                write("sign_", Tensor::sign_));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("writes")
    @Tag("quick")
    void overwrittenElementsGetZeroGradients(String name, Consumer<Tensor> write) {
        Tensor x = machine.tensor(new double[] {1, 2, 3}).requiresGrad(true);
        Tensor y = x.mul(2);
        write.accept(y);
        assertTrue(y.requiresGrad());
        y.sum().backward();
        assertArrayEquals(new double[] {0, 0, 0}, x.grad().toDoubleArray());
    }

    @Test
    void writtenValueGetsItsGradient() {
        Tensor x = machine.tensor(new double[] {1, 2, 3}).requiresGrad(true);
        Tensor source = machine.tensor(new double[] {1, 1, 1}).requiresGrad(true);
        Tensor y = x.mul(2);
        y.copy_(source.mul(3));
        y.mul(y).sum().backward();
        assertArrayEquals(new double[] {0, 0, 0}, x.grad().toDoubleArray());
        assertArrayEquals(new double[] {18, 18, 18}, source.grad().toDoubleArray());
    }

    @Test
    void viewOfOverwrittenDataHasAZeroGradient() {
        Tensor x = machine.ones(2, 3).requiresGrad(true);
        Tensor y = x.mul(2);
        Tensor row = y.select(0, 1);
        y.t().copy_(machine.ones(3, 2));
        row.sum().backward();
        assertEquals("[2, 3]", x.grad().shape().toString());
        assertEquals(0, x.grad().abs().sum().itemDouble());
    }

    @Test
    void withoutGradModeTheGraphStaysAsItWas() {
        Tensor x = machine.tensor(new double[] {1, 2, 3}).requiresGrad(true);
        Tensor y = x.mul(2);
        GradMode.noGrad(() -> y.copy_(constant()));
        y.sum().backward();
        assertArrayEquals(new double[] {2, 2, 2}, x.grad().toDoubleArray());
    }

    @Test
    void inputThatAddmmIgnoresHasAZeroGradient() {
        Tensor x = machine.ones(2, 2).requiresGrad(true);
        x.addmm(machine.ones(2, 2), machine.ones(2, 2), 0, 1).sum().backward();
        assertArrayEquals(new double[] {0, 0, 0, 0}, x.grad().toDoubleArray());
    }

    /** Without a gradient the optimizer would leave the parameter alone; with zeros it decays it. */
    @Test
    void optimizerGetsTheZeroGradient() {
        Parameter weight = Parameter.of(machine.tensor(new double[] {1, 2, 3}));
        Tensor y = weight.tensor().mul(2);
        y.copy_(constant());
        y.sum().backward();
        new SGD(List.of(weight), 0.5).weightDecay(0.5).step();
        assertArrayEquals(new double[] {0.75, 1.5, 2.25}, weight.tensor().toDoubleArray());
    }
}
