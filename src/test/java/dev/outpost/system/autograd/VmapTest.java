package dev.outpost.system.autograd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.Autograd;
import dev.outpost.autograd.Checkpoint;
import dev.outpost.autograd.CustomFunction;
import dev.outpost.functional.Transforms;
import dev.outpost.functional.Vmap;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.system.Closeness;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Compares functions that are mapped over a dimension with loops. */
class VmapTest {
    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    private static Tensor values(long... sizes) {
        return machine.randn(sizes).float64();
    }

    private static Tensor looped(UnaryOperator<Tensor> function, Tensor xs) {
        return Tensors.stack(xs.unbind(0).stream().map(function).toList());
    }

    private static void assertMaps(UnaryOperator<Tensor> function, Tensor xs) {
        Tensor mapped = xs.detach().requiresGrad(true);
        Tensor each = xs.detach().requiresGrad(true);
        Tensor actual = Transforms.vmap(function).apply(mapped);
        Tensor expected = looped(function, each);
        assertEquals(expected.type(), actual.type());
        Closeness.assertClose(expected.toDoubleArray(), actual);
        Tensor weights = values(expected.shape().toArray());
        expected.mul(weights).sum().backward();
        actual.mul(weights).sum().backward();
        Closeness.assertClose(each.grad().toDoubleArray(), mapped.grad());
    }

    @Test
    void compositionsAndFunctionsWithGradientsOfTheirOwn() {
        assertMaps(x -> Functional.gelu(x).mul(2), values(3, 4));
        assertMaps(x -> Functional.softmax(x, 0), values(3, 4));
        assertMaps(x -> Functional.layerNorm(x, new long[] {4}, null, null, 1e-5), values(3, 2, 4));
        assertMaps(x -> x.norm(2, 0, false).add(x.logsumexp(0)), values(3, 4));
        assertMaps(x -> x.matmul(x.mT()).trace(), values(3, 2, 4));
        assertMaps(x -> x.cumsum(0).flip(0).slice(0, 1), values(3, 4));
        assertMaps(x -> x.std(0, 1, true).add(x.clamp(-0.5, 0.5)), values(3, 4));
        assertMaps(x -> Functional.silu(x).prod(0), values(3, 4));
    }

    /** The cube, and a second result to which no gradient flows. */
    private static final class Cube extends CustomFunction {
        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            context.save(inputs);
            return new Tensor[] {inputs[0].mul(inputs[0]).mul(inputs[0]), inputs[0].neg()};
        }

        @Override
        protected Tensor[] backward(Context context, Tensor... gradients) {
            return new Tensor[] {gradients[0].mul(context.saved(0).square()).mul(3)};
        }
    }

    private static Tensor secondGradient(UnaryOperator<Tensor> function, Tensor xs) {
        Tensor leaf = xs.detach().requiresGrad(true);
        Autograd.grad(function.apply(leaf).sum(), List.of(leaf), null, false, true)
                .getFirst()
                .sum()
                .backward();
        return leaf.grad();
    }

    @Test
    void customFunctionsInMapsMapsOfMapsAndPrograms() {
        UnaryOperator<Tensor> cube = x -> new Cube().apply(x)[0].cumsum(0);
        assertMaps(cube, values(3, 4));
        assertMaps(x -> Transforms.vmap(cube).apply(x), values(3, 2, 4));
        Tensor xs = values(3, 4);
        UnaryOperator<Tensor> map = Transforms.vmap(cube);
        Tensor expected = secondGradient(x -> looped(cube, x), xs);
        Closeness.assertClose(expected.toDoubleArray(), secondGradient(map, xs));
        Program program = machine.program(in -> List.of(secondGradient(map, in.getFirst())));
        Closeness.assertClose(expected.toDoubleArray(), program.call(xs).getFirst());
    }

    @Test
    void aMapInACheckpointIsComputedAgain() {
        UnaryOperator<Tensor> map = Transforms.vmap((Tensor x) -> new Cube().apply(x)[0].cumsum(0));
        Tensor plain = values(3, 4).requiresGrad(true);
        Tensor kept = plain.detach().requiresGrad(true);
        map.apply(plain).sum().backward();
        Checkpoint.checkpoint(map, kept).sum().backward();
        Closeness.assertClose(plain.grad().toDoubleArray(), kept.grad());
    }

    @Test
    void whatIsCapturedGetsTheSumOfTheGradients() {
        Linear layer = new Linear(4, 2);
        layer.to(machine);
        Tensor xs = machine.randn(3, 4);
        UnaryOperator<Tensor> function = x -> Functional.gelu(layer.forward(x));
        Transforms.vmap(function).apply(xs).square().sum().backward();
        double[] mapped = layer.weight().tensor().grad().toDoubleArray();
        layer.weight().tensor().grad(null);
        looped(function, xs).square().sum().backward();
        Closeness.assertClose(mapped, layer.weight().tensor().grad());
    }

    @Test
    void gradientsOfEachExample() {
        Tensor weight = values(4);
        Tensor xs = values(3, 4);
        Tensor actual = Transforms.vmap(
                        (Tensor x) -> Transforms.grad(w -> w.mul(x).sin().sum()).apply(weight))
                .apply(xs);
        Closeness.assertClose(xs.mul(xs.mul(weight).cos()).toDoubleArray(), actual);
    }

    @Test
    void mapsNest() {
        Tensor rows = values(2, 3);
        Tensor others = values(4, 3);
        UnaryOperator<Tensor> products = Transforms.vmap((Tensor row) ->
                Transforms.vmap((Tensor other) -> row.mul(other).sum()).apply(others));
        Closeness.assertClose(rows.matmul(others.mT()).toDoubleArray(), products.apply(rows));
    }

    @Test
    void dimensionsOfArgumentsAndResults() {
        Tensor xs = values(4, 3);
        Tensor matrix = values(2, 4);
        List<Tensor> results = new Vmap()
                .inDims(1, null)
                .outDims(1, 0)
                .of(in -> List.of(in.get(1).mv(in.get(0)), in.get(0).sum()))
                .apply(List.of(xs, matrix));
        Closeness.assertClose(matrix.matmul(xs).toDoubleArray(), results.get(0));
        Closeness.assertClose(xs.sum(0).toDoubleArray(), results.get(1));
        assertEquals(
                "vmap: all arguments must have as many examples, got 4 and 2",
                assertThrows(OpException.class, () -> new Vmap().of(in -> in).apply(List.of(xs, matrix)))
                        .getMessage());
    }

    @Test
    void jacobiansByOneBackward() {
        UnaryOperator<Tensor> function = x -> x.sin().mul(x.sum()).slice(0, 0, 3);
        Tensor x = values(4);
        Tensor jacobian = Transforms.jacrev(function, x);
        assertArrayEquals(new long[] {3, 4}, jacobian.shape().toArray());
        Closeness.assertClose(Transforms.jacobian(function, x).toDoubleArray(), jacobian);
        UnaryOperator<Tensor> scalar = in -> in.pow(3).sum().mul(in.prod(0));
        Closeness.assertClose(
                Transforms.hessian(scalar, x).toDoubleArray(), Transforms.jacrev(Transforms.grad(scalar), x));
    }

    @Test
    void writesInPlaceStayInside() {
        Tensor xs = values(3, 4);
        double[] before = xs.toDoubleArray();
        Tensor doubled = Transforms.vmap((Tensor x) -> {
                    x.slice(0, 0, 2).mul_(2);
                    return x;
                })
                .apply(xs);
        assertArrayEquals(before, xs.toDoubleArray());
        Closeness.assertClose(
                Tensors.cat(List.of(xs.slice(1, 0, 2).mul(2), xs.slice(1, 2)), 1)
                        .toDoubleArray(),
                doubled);
        Tensor weight = values(4).requiresGrad(true);
        Tensor copied =
                Transforms.vmap((Tensor x) -> x.mul(2).copy_(weight).mul(x)).apply(xs);
        copied.sum().backward();
        Closeness.assertClose(xs.sum(0).toDoubleArray(), weight.grad());
        Tensor outside = values(4);
        assertEquals(
                "copy_: a tensor that is the same for all examples of a mapped function cannot be written in place with"
                        + " one that differs; use the op that makes a new tensor",
                assertThrows(
                                OpException.class,
                                () -> Transforms.vmap((Tensor x) -> outside.copy_(x))
                                        .apply(xs))
                        .getMessage());
    }

    @Test
    void randomNumbersAreTheSameOrDifferentAsTheMapSays() {
        Tensor xs = machine.zeros(3, 4);
        List<Tensor> different = new Vmap()
                .differentRandomness()
                .of(in -> List.of(in.getFirst().add(machine.rand(4))))
                .apply(List.of(xs));
        List<Tensor> same = new Vmap()
                .sameRandomness()
                .of(in -> List.of(in.getFirst().add(machine.rand(4))))
                .apply(List.of(xs));
        assertEquals(12, different.getFirst().unique().numel());
        assertEquals(4, same.getFirst().unique().numel());
        assertEquals(
                "rand: a function that is mapped by vmap draws no random numbers unless the map says whether they are"
                        + " the same or different for each example",
                assertThrows(
                                OpException.class,
                                () -> Transforms.vmap((Tensor x) -> x.add(machine.rand(4)))
                                        .apply(xs))
                        .getMessage());
    }

    @Test
    void inPrograms() {
        UnaryOperator<Tensor> map = Transforms.vmap((Tensor x) -> x.sin().sum());
        Tensor xs = values(3, 4);
        Program program = machine.program(in -> List.of(map.apply(in.getFirst())));
        Closeness.assertClose(map.apply(xs).toDoubleArray(), program.call(xs).getFirst());
    }

    @Test
    void examplesHaveNoValues() {
        Tensor xs = values(3, 4);
        List<Tensor> leaked = new ArrayList<>();
        assertEquals(
                "item_double: a function that is mapped by vmap has no values of its own: they differ from example to example",
                assertThrows(
                                OpException.class,
                                () -> Transforms.vmap((Tensor x) -> {
                                            leaked.add(x.sum());
                                            return x.mul(leaked.getFirst().itemDouble());
                                        })
                                        .apply(xs))
                        .getMessage());
        assertThrows(OpException.class, () -> leaked.getFirst().add(1));
        assertEquals(
                "nonzero: a function that is mapped by vmap has no values of its own: they differ from example to example",
                assertThrows(
                                OpException.class,
                                () -> Transforms.vmap((Tensor x) -> x.nonzero()).apply(xs))
                        .getMessage());
    }
}
