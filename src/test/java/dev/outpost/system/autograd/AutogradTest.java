package dev.outpost.system.autograd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.Autograd;
import dev.outpost.autograd.CustomFunction;
import dev.outpost.autograd.GradMode;
import dev.outpost.types.DType;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the graph: accumulation, hooks, leaves, custom functions, second derivatives. */
@Tag("quick")
class AutogradTest {
    private static RemoteMachine machine;

    @BeforeAll
    static void open() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void close() {
        machine.close();
    }

    private static Tensor leaf(double... values) {
        return machine.tensor(values).requiresGrad(true);
    }

    @Test
    void gradientLivesAsLongAsAViewOrAHandle() {
        Tensor x = machine.tensor(new float[] {1, 2}).requiresGrad(true);
        Tensor view = x.view(2, 1);
        Scope.tidy(() -> x.mul(x).sum()).backward();
        Tensor gradient = x.grad();
        x.close();
        assertArrayEquals(new float[] {2, 4}, view.grad().toFloatArray());
        view.close();
        assertArrayEquals(new float[] {2, 4}, gradient.toFloatArray());
        assertNull(x.grad());
        gradient.close();
    }

    @Test
    void closingALeafFreesAnUnreadGradient() {
        try (RemoteMachine own = RemoteMachine.of("mock", "A100")) {
            Tensor x = own.tensor(new float[] {1, 2}).requiresGrad(true);
            try (Scope scope = own.scope()) {
                x.mul(x).sum().backward();
            }
            assertEquals(2, own.heldValues());
            x.close();
            assertEquals(0, own.heldValues());
        }
    }

    @Test
    void gradientsAccumulateUntilTheyAreDropped() {
        Tensor x = leaf(1, 2);
        x.mul(3).sum().backward();
        x.mul(3).sum().backward();
        assertArrayEquals(new double[] {6, 6}, x.grad().toDoubleArray());
        x.grad(null);
        assertNull(x.grad());
    }

    /** The second part overlaps the first, the third overlaps none: gradients are stored or added, with the same result. */
    @Test
    void gradientsOfPartsMeetInTheirTensor() {
        Tensor x = machine.tensor(new double[] {1, 2, 3, 4, 5, 6, 7, 8}, 2, 4).requiresGrad(true);
        Tensor left = x.narrow(1, 0, 2);
        Tensor middle = x.narrow(1, 1, 2);
        Tensor right = x.narrow(1, 3, 1);
        Tensor sum = left.mul(left)
                .sum()
                .add(middle.mul(10).sum())
                .add(right.mul(right).sum());
        Tensor gradient = Autograd.grad(sum, List.of(x)).getFirst();
        assertArrayEquals(new double[] {2, 14, 10, 8, 10, 22, 10, 16}, gradient.toDoubleArray());
    }

    @Test
    void gradientsOfPartsThatAreApartHaveGradients() {
        Tensor x = machine.tensor(new double[] {1, 2, 3, 4, 5, 6}, 2, 3).requiresGrad(true);
        Tensor product = x.select(1, 0).mul(x.select(1, 2)).mul(x.select(1, 2));
        Tensor first =
                Autograd.grad(product.sum(), List.of(x), null, true, true).getFirst();
        assertArrayEquals(new double[] {9, 0, 6, 36, 0, 48}, first.toDoubleArray());
        Tensor second = Autograd.grad(first.sum(), List.of(x)).getFirst();
        assertArrayEquals(new double[] {6, 0, 8, 12, 0, 20}, second.toDoubleArray());
    }

    /** An unused part has a gradient of 0, whatever other gradients arrive. */
    @Test
    void aWholeGradientAndThoseOfPartsAreAddedUp() {
        Tensor x = leaf(1, 2, 3, 4);
        Tensor sum = x.narrow(0, 0, 1)
                .mul(5)
                .sum()
                .add(x.mul(x).sum())
                .add(x.narrow(0, 3, 1).mul(7).sum());
        assertArrayEquals(
                new double[] {7, 4, 6, 15},
                Autograd.grad(sum, List.of(x)).getFirst().toDoubleArray());
    }

    @Test
    void aGradientOutlivesTheScopeThatComputedIt() {
        Tensor x = leaf(1, 2);
        try (var scope = machine.scope()) {
            x.mul(x).sum().backward();
        }
        assertArrayEquals(new double[] {2, 4}, x.grad().toDoubleArray());
    }

    @Test
    void aUsersHandleOnAGradientOutlivesZeroGrad() {
        Tensor x = leaf(1, 2);
        x.mul(2).sum().backward();
        Tensor kept = x.grad();
        x.grad(null);
        assertArrayEquals(new double[] {2, 2}, kept.toDoubleArray());
    }

    @Test
    void secondDerivatives() {
        Tensor x = leaf(2);
        Tensor first =
                Autograd.grad(x.pow(3).sum(), List.of(x), null, false, true).get(0);
        Tensor second = Autograd.grad(first.sum(), List.of(x)).get(0);
        assertArrayEquals(new double[] {12}, second.toDoubleArray());
        assertNull(x.grad());
    }

    /** The saved operand of a product is such a view, and its second derivative passes through a view of that. */
    @Test
    void secondDerivativesOfARepeatedView() {
        double[] copied = secondOfProduct(x -> x.repeat(3, 1, 1));
        assertArrayEquals(copied, secondOfProduct(x -> x.expand(3, 2, 2)), 1e-9);
    }

    private static double[] secondOfProduct(UnaryOperator<Tensor> repeated) {
        Tensor x = leaf(1, 2, 3, 5);
        Tensor matrices = repeated.apply(x.view(2, 2));
        Tensor product = machine.arange(12).float64().view(3, 2, 2).matmul(matrices);
        Tensor value = product.mul(product.matmul(matrices)).sum();
        Tensor first = Autograd.grad(value, List.of(x), null, false, true).get(0);
        return Autograd.grad(first.square().sum(), List.of(x)).get(0).toDoubleArray();
    }

    @Test
    void gradVisitsOnlyPathsToItsInputs() {
        Tensor x = leaf(2);
        Tensor y = leaf(3);
        Tensor middle = x.mul(y);
        Tensor out = middle.mul(middle).sum();
        List<Tensor> gradients = Autograd.grad(out, List.of(middle, x), null, true, false);
        assertArrayEquals(new double[] {12}, gradients.get(0).toDoubleArray());
        assertArrayEquals(new double[] {36}, gradients.get(1).toDoubleArray());
        assertNull(y.grad());
        assertNull(Autograd.grad(x.sum(), List.of(leaf(1))).get(0));
    }

    @Test
    void gradReachesAViewThroughViewsThatWereMadeOfIt() {
        Tensor x = leaf(1, 2, 3, 4);
        Tensor y = x.mul(2);
        Tensor view = y.reshape(2, 2);
        Tensor row = view.select(0, 1);
        Tensor sum = row.mul(row).sum().add(view.t().select(0, 0).sum()).add(y.sum());
        List<Tensor> gradients = Autograd.grad(sum, List.of(view, row, y, x), null, true, false);
        assertArrayEquals(new double[] {1, 0, 13, 16}, gradients.get(0).toDoubleArray());
        assertArrayEquals(new double[] {12, 16}, gradients.get(1).toDoubleArray());
        assertArrayEquals(new double[] {2, 1, 14, 17}, gradients.get(2).toDoubleArray());
        assertArrayEquals(new double[] {4, 2, 28, 34}, gradients.get(3).toDoubleArray());
    }

    @Test
    void gradReachesAViewOfALeafThroughAViewOfTheWhole() {
        Tensor x = leaf(1, 2, 3, 4);
        Tensor view = x.reshape(2, 2);
        Tensor again = view.reshape(4);
        List<Tensor> gradients = Autograd.grad(again.square().sum(), List.of(view, again, x));
        for (Tensor gradient : gradients) {
            assertArrayEquals(new double[] {2, 4, 6, 8}, gradient.reshape(4).toDoubleArray());
        }
        assertNull(Autograd.grad(x.select(0, 0), List.of(view)).getFirst());
    }

    @Test
    void gradOfSecondOrderReachesAView() {
        Tensor x = leaf(1, 2, 3, 4);
        Tensor view = x.mul(1).reshape(2, 2);
        Tensor cubes = view.select(1, 0).pow(3).sum();
        Tensor first = Autograd.grad(cubes, List.of(view), null, true, true).getFirst();
        assertArrayEquals(new double[] {3, 0, 27, 0}, first.toDoubleArray());
        Tensor second = Autograd.grad(first.sum(), List.of(view)).getFirst();
        assertArrayEquals(new double[] {6, 0, 18, 0}, second.toDoubleArray());
    }

    @Test
    void aViewKeepsTheGradientOfViewsThatWereMadeOfIt() {
        Tensor x = leaf(1, 2, 3, 4);
        Tensor view = x.mul(1).reshape(2, 2);
        view.retainGrad();
        view.select(0, 1).mul(5).sum().backward();
        assertArrayEquals(new double[] {0, 0, 5, 5}, view.grad().toDoubleArray());
        assertArrayEquals(new double[] {0, 0, 5, 5}, x.grad().toDoubleArray());
    }

    @Test
    void hooksSeeTheWholeGradientAndMayReplaceIt() {
        Tensor x = leaf(1, 1);
        Tensor y = x.mul(2);
        Runnable remove = y.registerHook(gradient -> gradient.mul(10));
        y.add(y).sum().backward(null, true);
        assertArrayEquals(new double[] {40, 40}, x.grad().toDoubleArray());
        remove.run();
        x.grad(null);
        y.sum().backward();
        assertArrayEquals(new double[] {2, 2}, x.grad().toDoubleArray());
    }

    @Test
    void retainedGradientsOfTensorsInBetween() {
        Tensor x = leaf(1, 2, 3, 4);
        Tensor y = x.mul(2);
        Tensor part = y.slice(0, 1, 3);
        y.retainGrad();
        part.retainGrad();
        part.mul(part).sum().backward();
        assertArrayEquals(new double[] {8, 12}, part.grad().toDoubleArray());
        assertArrayEquals(new double[] {0, 8, 12, 0}, y.grad().toDoubleArray());
        assertArrayEquals(new double[] {0, 16, 24, 0}, x.grad().toDoubleArray());
    }

    @Test
    void detachedAndUnrecordedTensorsStopGradients() {
        Tensor x = leaf(1, 2);
        assertFalse(x.detach().requiresGrad());
        assertFalse(GradMode.noGrad(() -> x.mul(2)).requiresGrad());
        assertTrue(GradMode.noGrad(() -> GradMode.enableGrad(() -> x.mul(2))).requiresGrad());
        x.detach().mul(x).sum().backward();
        assertArrayEquals(new double[] {1, 2}, x.grad().toDoubleArray());
    }

    @Test
    void aDetachedTensorSharesItsStorage() {
        Tensor x = machine.ones(2);
        x.detach().mul_(3);
        assertArrayEquals(new float[] {3, 3}, x.toFloatArray());
    }

    @Test
    void castsAndBroadcastsGoBack() {
        Tensor x = machine.ones(3).requiresGrad(true);
        x.float64().add(machine.zeros(DType.FLOAT64, 2, 3)).sum().backward();
        assertEquals("float32[3]", x.grad().type().toString());
        assertArrayEquals(new float[] {2, 2, 2}, x.grad().toFloatArray());
    }

    @Test
    void aVeryLongChainDoesNotOverflowTheStack() {
        Tensor x = machine.ones(1).requiresGrad(true);
        Tensor y = x;
        for (int step = 0; step < 20_000; step++) {
            y = y.add(1);
        }
        y.sum().backward();
        assertArrayEquals(new float[] {1}, x.grad().toFloatArray());
    }

    @Test
    void customFunctions() {
        Tensor x = leaf(1, 2, 3);
        Tensor y = new Cube().apply(x)[0];
        y.sum().backward();
        assertArrayEquals(new double[] {3, 12, 27}, x.grad().toDoubleArray());
        assertTrue(y.graph().startsWith("#0 Cube"), y.graph());
    }

    /** A product is a view of the machine's result, which is a batch of one. */
    @Test
    void aCustomFunctionMayAnswerWithViews() {
        CustomFunction function = new CustomFunction() {
            @Override
            protected Tensor[] forward(Context context, Tensor... inputs) {
                Tensor product = inputs[0].matmul(inputs[0]);
                return new Tensor[] {product, product.t(), product.sum(0).expand(3, 2)};
            }

            @Override
            protected Tensor[] backward(Context context, Tensor... gradients) {
                return new Tensor[] {gradients[0].add(gradients[1]).add(gradients[2].sum(0))};
            }
        };
        Tensor x = leaf(1, 2, 3, 4);
        Tensor[] results = function.apply(x.view(2, 2));
        results[0]
                .sum()
                .add(results[1].mul(2).t().sum())
                .add(results[2].t().sum())
                .backward();
        assertArrayEquals(new double[] {6, 6, 6, 6}, x.grad().toDoubleArray());
    }

    @Test
    void aCustomFunctionMayAnswerWithItsInput() {
        Tensor x = leaf(1, 2);
        Tensor y = new Doubling().apply(x)[0];
        y.sum().backward();
        assertArrayEquals(new double[] {2, 2}, x.grad().toDoubleArray());
        assertTrue(x.isLeaf());
    }

    @Test
    void theGraphCanBePrinted() {
        Tensor x = leaf(1, 2).named("x");
        String graph = x.mul(x).sum().graph();
        assertTrue(graph.contains("mul"), graph);
        assertTrue(graph.contains("AccumulateGrad x [2]"), graph);
        assertEquals(
                "(no graph: nothing here requires gradients)", machine.ones(1).graph());
    }

    /** The identity, but with a different gradient. */
    private static final class Doubling extends CustomFunction {
        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            return new Tensor[] {inputs[0]};
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            return new Tensor[] {gradients[0].mul(2)};
        }
    }

    private static final class Cube extends CustomFunction {
        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            context.save(inputs[0]);
            return new Tensor[] {inputs[0].pow(3)};
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            return new Tensor[] {gradients[0].mul(context.saved(0).square()).mul(3)};
        }
    }
}
