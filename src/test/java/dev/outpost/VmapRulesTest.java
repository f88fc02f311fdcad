package dev.outpost;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.GradientSamples.Input;
import dev.outpost.GradientSamples.Sample;
import dev.outpost.autograd.Autograd;
import dev.outpost.functional.Vmap;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.Ldl;
import dev.outpost.protocol.op.LdlSolve;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.PivotOrder;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.op.UpdateGuard;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares the batching rule of every primitive, its gradient and the gradient inside of the map with loops over the examples. */
class VmapRulesTest {
    private static final int EXAMPLES = 2;

    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void stop() {
        machine.close();
    }

    static List<Sample> samples() {
        return Stream.concat(GradientSamples.all().stream(), withoutGradient()).toList();
    }

    private static Stream<Sample> withoutGradient() {
        Input reals = new Input.Fixed(HostTensor.of(new double[] {1, -2, Double.NaN, 0.5, -2, 3}, 2, 3));
        Input others = new Input.Fixed(HostTensor.of(new double[] {1, 0, 2}, 3));
        Input bits = new Input.Fixed(HostTensor.of(new long[] {1, 2, 3, 0}, 2, 2));
        Input flags = new Input.Fixed(HostTensor.of(new boolean[] {true, false}, 2));
        Input matrix = new Input.Fixed(HostTensor.of(new double[] {4, 1, 1, 3}, 2, 2));
        Input column = new Input.Fixed(HostTensor.of(new double[] {1, 2}, 2, 1));
        Input pivots = new Input.Fixed(HostTensor.of(new int[] {1, 2}, 2));
        Stream<Op> ofTwo =
                Stream.of(Binary.NEXTAFTER, Binary.EQ, Binary.NE, Binary.LT, Binary.LE, Binary.GT, Binary.GE);
        Stream<Op> ofBits =
                Stream.of(Binary.AND, Binary.OR, Binary.XOR, Binary.SHIFT_LEFT, Binary.SHIFT_RIGHT, Binary.GCD);
        return Stream.of(
                        ofTwo.map(op -> new Sample(op, List.of(reals, others))),
                        ofBits.map(op -> new Sample(op, List.of(bits, bits))),
                        Arrays.stream(ArgReduce.Fn.values())
                                .map(fn -> new Sample(new ArgReduce(fn, 1, true), List.of(reals))),
                        Stream.of(
                                new Sample(Unary.IS_NAN, List.of(reals)),
                                new Sample(Unary.NOT, List.of(flags)),
                                new Sample(new IndexCheck(4), List.of(bits)),
                                new Sample(new Ldl(), List.of(matrix)),
                                new Sample(new LdlSolve(), List.of(matrix, pivots, column)),
                                new Sample(new PivotOrder(2), List.of(pivots))))
                .flatMap(each -> each);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void mapsAsALoopDoes(Sample sample) {
        for (boolean[] isMapped : choices(sample)) {
            Given given = Given.of(sample, isMapped);
            List<Tensor> mapped = given.map().of(in -> apply(sample, in)).apply(given.inputs);
            List<Tensor> looped = given.loop(in -> apply(sample, in));
            assertSame(sample, isMapped, looped, mapped);
            assertSame(sample, isMapped, gradients(looped, given.inputs), gradients(mapped, given.inputs));
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void gradientsInsideOfTheMapAreThoseOfEachExample(Sample sample) {
        boolean[] all = new boolean[tensors(sample)];
        Arrays.fill(all, true);
        Given given = Given.of(sample, all);
        assertSame(
                sample,
                all,
                given.loop(in -> slopes(sample, in)),
                given.map().of(in -> slopes(sample, in)).apply(given.inputs));
    }

    private static List<Tensor> slopes(Sample sample, List<Tensor> inputs) {
        List<Tensor> varied = new ArrayList<>();
        for (Input input : sample.inputs()) {
            if (!(input instanceof Input.Constant)) {
                Tensor given = inputs.get(varied.size());
                varied.add(input instanceof Input.Fixed ? given : given.detach().requiresGrad(true));
            }
        }
        return gradients(apply(sample, varied), varied);
    }

    @Test
    void whatHasNoRuleIsRefusedByName() {
        Tensor x = machine.tensor(new double[] {1, 2}, 2);
        assertRefused(
                "update_guard: vmap has no batching rule for update_guard; use a loop",
                x,
                in -> List.of(Dispatch.applyAll(new UpdateGuard(1, 1), in.getFirst(), in.getFirst(), in.getFirst())));
    }

    private static void assertRefused(String expected, Tensor x, Function<List<Tensor>, List<Tensor>> function) {
        OpException refused =
                assertThrows(OpException.class, () -> new Vmap().of(function).apply(List.of(x)));
        assertEquals(expected, refused.getMessage());
    }

    /** Each tensor mapped alone, and all of them. */
    private static List<boolean[]> choices(Sample sample) {
        int count = tensors(sample);
        List<boolean[]> choices = new ArrayList<>();
        for (int alone = 0; alone <= count; alone++) {
            boolean[] choice = new boolean[count];
            for (int index = 0; index < count; index++) {
                choice[index] = alone == count || index == alone;
            }
            if (alone < count || count > 1) {
                choices.add(choice);
            }
        }
        return choices;
    }

    private static int tensors(Sample sample) {
        return (int) sample.inputs().stream()
                .filter(input -> !(input instanceof Input.Constant))
                .count();
    }

    /** Inputs, some of which have a leading dimension of examples. */
    private record Given(List<Tensor> inputs, boolean[] isMapped) {
        static Given of(Sample sample, boolean[] isMapped) {
            List<Tensor> inputs = new ArrayList<>();
            for (Input input : sample.inputs()) {
                if (!(input instanceof Input.Constant)) {
                    Tensor all = isMapped[inputs.size()]
                            ? Tensors.stack(IntStream.range(0, EXAMPLES)
                                    .mapToObj(example -> example(input, example))
                                    .toList())
                            : example(input, 0);
                    inputs.add(input instanceof Input.Fixed ? all : all.detach().requiresGrad(true));
                }
            }
            return new Given(inputs, isMapped);
        }

        private static Tensor example(Input input, int example) {
            return switch (input) {
                case Input.Varied varied -> machine.tensor(varied.values()).mul(1 + 0.03 * example);
                case Input.Symmetric symmetric -> {
                    Tensor half = machine.tensor(symmetric.values()).mul(1 + 0.03 * example);
                    yield half.add(half.mT()).mul(0.5);
                }
                case Input.Fixed fixed -> rotated(machine.tensor(fixed.values()), example);
                case Input.Constant _ -> throw new IllegalArgumentException("no tensor");
            };
        }

        /** Returns different indices and flags for each example, within the same bounds. */
        private static Tensor rotated(Tensor values, int example) {
            return values.dtype() == DType.INT64 || values.dtype() == DType.BOOL
                    ? values.flatten().roll(example, 0).reshape(values.shape().toArray())
                    : values;
        }

        Vmap map() {
            Integer[] dims = new Integer[isMapped.length];
            Arrays.setAll(dims, index -> isMapped[index] ? 0 : null);
            return new Vmap().inDims(dims);
        }

        List<Tensor> loop(Function<List<Tensor>, List<Tensor>> function) {
            List<List<Tensor>> examples = new ArrayList<>();
            for (int example = 0; example < EXAMPLES; example++) {
                int which = example;
                examples.add(function.apply(IntStream.range(0, inputs.size())
                        .mapToObj(index -> isMapped[index] ? inputs.get(index).select(0, which) : inputs.get(index))
                        .toList()));
            }
            return IntStream.range(0, examples.getFirst().size())
                    .mapToObj(result -> Tensors.stack(
                            examples.stream().map(each -> each.get(result)).toList()))
                    .toList();
        }
    }

    private static List<Tensor> apply(Sample sample, List<Tensor> tensors) {
        Operand[] operands = new Operand[sample.inputs().size()];
        int next = 0;
        for (int index = 0; index < operands.length; index++) {
            operands[index] = sample.inputs().get(index) instanceof Input.Constant constant
                    ? Operand.of(DType.FLOAT64, constant.value())
                    : tensors.get(next++);
        }
        return List.of(Dispatch.applyAll(sample.op(), operands));
    }

    /** The gradients of a weighted sum with respect to floating inputs; empty if no gradient flows. */
    private static List<Tensor> gradients(List<Tensor> results, List<Tensor> inputs) {
        List<Tensor> outputs = results.stream().filter(Tensor::requiresGrad).toList();
        List<Tensor> varied = inputs.stream().filter(Tensor::requiresGrad).toList();
        if (outputs.isEmpty()) {
            return List.of();
        }
        Tensor sum = outputs.stream()
                .map(VmapRulesTest::weighted)
                .reduce(Tensor::add)
                .orElseThrow();
        List<Tensor> found = Autograd.grad(sum, varied, null, true, false);
        return IntStream.range(0, varied.size())
                .mapToObj(index -> found.get(index) == null ? varied.get(index).zerosLike() : found.get(index))
                .toList();
    }

    private static Tensor weighted(Tensor result) {
        double[] weights = new double[(int) result.numel()];
        Arrays.setAll(weights, index -> 0.5 + Math.sin(1.7 * index + 1));
        return result.mul(machine.tensor(HostTensor.of(weights, result.shape().toArray())))
                .sum();
    }

    private static void assertSame(Sample sample, boolean[] isMapped, List<Tensor> expected, List<Tensor> actual) {
        String what = sample + " mapped " + Arrays.toString(isMapped);
        assertEquals(expected.size(), actual.size(), what);
        for (int index = 0; index < expected.size(); index++) {
            assertEquals(expected.get(index).type(), actual.get(index).type(), what);
            assertArrayEquals(
                    expected.get(index).float64().toDoubleArray(),
                    actual.get(index).float64().toDoubleArray(),
                    1e-9,
                    what);
        }
    }
}
