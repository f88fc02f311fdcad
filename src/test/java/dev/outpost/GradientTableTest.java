package dev.outpost;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.outpost.GradientSamples.Input;
import dev.outpost.GradientSamples.Sample;
import dev.outpost.autograd.Autograd;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Operand;
import dev.outpost.internal.gradients.Gradient;
import dev.outpost.internal.gradients.Gradients;
import dev.outpost.protocol.op.Arange;
import dev.outpost.protocol.op.ArgReduce;
import dev.outpost.protocol.op.AsStrided;
import dev.outpost.protocol.op.Binary;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.op.Fill;
import dev.outpost.protocol.op.IndexCheck;
import dev.outpost.protocol.op.Ldl;
import dev.outpost.protocol.op.LdlSolve;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Load;
import dev.outpost.protocol.op.ModelCall;
import dev.outpost.protocol.op.ModelOpen;
import dev.outpost.protocol.op.Nonzero;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.OpTable;
import dev.outpost.protocol.op.PagedAttention;
import dev.outpost.protocol.op.PivotOrder;
import dev.outpost.protocol.op.QuantizedMatmul;
import dev.outpost.protocol.op.QuantizedMatmulInput;
import dev.outpost.protocol.op.Random;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.op.UpdateCommit;
import dev.outpost.protocol.op.UpdateGuard;
import dev.outpost.protocol.op.Upload;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Scalar;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares every op's gradient, and the gradient of that, with central differences in float64. */
class GradientTableTest {
    private static final double STEP = 1e-5;
    private static final double TOLERANCE = 1e-7;

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
        return GradientSamples.all();
    }

    /** Ops through which no gradient flows, one of each code. */
    private static List<Op> withoutGradient() {
        TensorType type = new TensorType(DType.FLOAT64, Shape.of(2));
        Stream<Op> elementwise = Stream.of(
                Unary.IS_NAN,
                Unary.NOT,
                Binary.NEXTAFTER,
                Binary.GCD,
                Binary.EQ,
                Binary.NE,
                Binary.LT,
                Binary.LE,
                Binary.GT,
                Binary.GE,
                Binary.AND,
                Binary.OR,
                Binary.XOR,
                Binary.SHIFT_LEFT,
                Binary.SHIFT_RIGHT);
        Stream<Op> others = Stream.of(
                new AsStrided(Layout.contiguous(Shape.of(2))),
                new Fill(Shape.of(2), Scalar.of(true)),
                new Arange(DType.INT64, 2, Scalar.of(DType.INT64, 0L), Scalar.of(DType.INT64, 1L)),
                new Literal(type, new byte[16]),
                new Upload(type, 1),
                new Load(type, "", "", "", "", List.of(0L)),
                new PagedAttention(0, false, 1, 1),
                new UpdateGuard(1, 1),
                new UpdateCommit(),
                new ModelOpen(List.of(), false),
                new ModelCall(List.of(type)),
                new IndexCheck(2),
                new PivotOrder(2),
                new Ldl(),
                new LdlSolve(),
                new Nonzero(2));
        Stream<Op> argReduces = Arrays.stream(ArgReduce.Fn.values()).map(fn -> new ArgReduce(fn, 0, false));
        Stream<Op> randoms = Arrays.stream(Random.Fn.values())
                .map(fn -> new Random(fn, type, 0, 0, 0, 0))
                .flatMap(whole -> Stream.of(whole, whole.part(type, Random.Part.of(Shape.of(4), 0, 2, 2))));
        Stream<Op> collectives = Arrays.stream(Collective.Fn.values())
                .map(fn -> new Collective(fn, type, List.of(0), Optional.empty(), Optional.empty(), 1, 1));
        return Stream.of(elementwise, others, argReduces, randoms, collectives)
                .flatMap(ops -> ops)
                .toList();
    }

    /** Ops that have no differences in float64; {@link QuantizedGradientTest} is about them. */
    private static List<Op> withoutFloat64() {
        return List.of(new QuantizedMatmul(4, 8), new QuantizedMatmulInput(4, 8));
    }

    @Test
    @Tag("quick")
    void everyOpOfTheTableHasASample() {
        Set<String> missing = namesByCode();
        samples().forEach(sample -> missing.remove(name(sample.op())));
        withoutGradient().forEach(op -> missing.remove(name(op)));
        withoutFloat64().forEach(op -> missing.remove(name(op)));
        assertEquals(Set.of(), missing, "ops without a sample in GradientSamples");
    }

    private static Set<String> namesByCode() {
        Set<Integer> codes = OpTable.rows().stream().map(OpTable.Row::code).collect(Collectors.toSet());
        Set<String> names = new TreeSet<>();
        Stream.concat(Arrays.stream(Unary.values()), Arrays.stream(Binary.values()))
                .forEach(op -> names.add(name(op)));
        samples().forEach(sample -> names.add(name(sample.op())));
        withoutGradient().forEach(op -> names.add(name(op)));
        withoutFloat64().forEach(op -> names.add(name(op)));
        names.forEach(name -> codes.remove(Integer.valueOf(name.split(" ")[0])));
        codes.forEach(code -> names.add(code + " of the op table"));
        leaves(Op.class)
                .filter(type -> names.stream().noneMatch(name -> name.contains(type.getSimpleName())))
                .forEach(type -> names.add(type.getSimpleName()));
        return names;
    }

    private static Stream<Class<?>> leaves(Class<?> type) {
        return type.isSealed() && type.isInterface()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(GradientTableTest::leaves)
                : Stream.of(type);
    }

    private static String name(Op op) {
        Class<?> type = op instanceof Enum<?> constant ? constant.getDeclaringClass() : op.getClass();
        return op.code() + " " + type.getSimpleName() + " " + op.label();
    }

    @Test
    @Tag("quick")
    void noGradientFlowsThroughTheRest() {
        for (Op op : withoutGradient()) {
            assertSame(Gradient.NONE, Gradients.of(op), op.label());
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void firstOrder(Sample sample) {
        check(sample, point -> weighted(sample.op(), point.operands));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void secondOrder(Sample sample) {
        check(sample, point -> slope(sample.op(), point));
    }

    /** A scalar function of the varied operands. */
    private interface Function {
        Tensor at(Point point);
    }

    /** The operands, and the varied tensors among them. */
    private record Point(Operand[] operands, List<Tensor> varied) {
        static Point of(Sample sample, int moved, int element, double by) {
            Operand[] operands = new Operand[sample.inputs().size()];
            List<Tensor> varied = new ArrayList<>();
            for (int index = 0; index < operands.length; index++) {
                operands[index] = switch (sample.inputs().get(index)) {
                    case Input.Constant constant -> Operand.of(DType.FLOAT64, constant.value());
                    case Input.Fixed fixed -> machine.tensor(fixed.values());
                    case Input.Varied input -> leaf(input.values(), index == moved, element, by, varied);
                    case Input.Symmetric input -> {
                        Tensor half = leaf(input.values(), index == moved, element, by, varied);
                        yield half.add(half.mT()).mul(0.5);
                    }
                };
            }
            return new Point(operands, varied);
        }

        private static Tensor leaf(HostTensor values, boolean isMoved, int element, double by, List<Tensor> varied) {
            HostTensor moved = isMoved ? shifted(values, element, by) : values;
            varied.add(machine.tensor(moved).requiresGrad(true));
            return varied.getLast();
        }

        private static HostTensor shifted(HostTensor values, int element, double by) {
            double[] elements = values.toDoubleArray();
            elements[element] += by;
            return HostTensor.of(elements, values.shape().toArray());
        }
    }

    /** The sum of all elements of the results with different weights, so that no errors cancel. */
    private static Tensor weighted(Op op, Operand... operands) {
        Tensor[] results = Dispatch.applyAll(op, operands);
        Tensor sum = weighted(results[0], 0);
        for (int index = 1; index < results.length; index++) {
            sum = results[index].dtype().isFloating() ? sum.add(weighted(results[index], 7 * index)) : sum;
        }
        return sum;
    }

    private static Tensor weighted(Tensor result, int salt) {
        double[] weights = new double[(int) result.numel()];
        Arrays.setAll(weights, index -> 0.5 + Math.sin(1.7 * index + salt + 1));
        Tensor factors = machine.tensor(HostTensor.of(weights, result.shape().toArray()));
        return result.mul(factors).sum();
    }

    /** The weighted sum of the gradients; 0 if there are none, as for a constant. */
    private static Tensor slope(Op op, Point point) {
        Tensor value = weighted(op, point.operands);
        List<Tensor> gradients = Autograd.grad(value, point.varied, null, true, true);
        Tensor slope = machine.zeros(DType.FLOAT64);
        for (int index = 0; index < gradients.size(); index++) {
            slope = gradients.get(index) == null ? slope : slope.add(weighted(gradients.get(index), 3 + index));
        }
        return slope;
    }

    private static void check(Sample sample, Function function) {
        double[] computed = computed(sample, function);
        double[] expected = expected(sample, function);
        double scale = Math.max(1, Arrays.stream(expected).map(Math::abs).max().orElse(0));
        assertArrayEquals(
                expected,
                computed,
                100 * TOLERANCE * scale,
                () -> sample + " expected " + Arrays.toString(expected) + " got " + Arrays.toString(computed));
    }

    private static double[] computed(Sample sample, Function function) {
        Point point = Point.of(sample, -1, 0, 0);
        Tensor value = function.at(point);
        List<double[]> parts = new ArrayList<>();
        List<Tensor> gradients = value.requiresGrad()
                ? Autograd.grad(value, point.varied, null, false, false)
                : point.varied.stream().map(Tensor::zerosLike).toList();
        for (int index = 0; index < gradients.size(); index++) {
            Tensor gradient = gradients.get(index);
            Tensor varied = point.varied.get(index);
            parts.add(gradient == null ? new double[(int) varied.numel()] : gradient.toDoubleArray());
            assertEquals(varied.shape(), gradient == null ? varied.shape() : gradient.shape());
        }
        return parts.stream().flatMapToDouble(Arrays::stream).toArray();
    }

    private static double[] expected(Sample sample, Function function) {
        List<Tensor> slopes = new ArrayList<>();
        for (int input = 0; input < sample.inputs().size(); input++) {
            HostTensor values = values(sample.inputs().get(input));
            if (values != null) {
                for (int element = 0; element < values.shape().elements(); element++) {
                    Tensor above = function.at(Point.of(sample, input, element, STEP));
                    Tensor below = function.at(Point.of(sample, input, element, -STEP));
                    slopes.add(above.sub(below).div(2 * STEP).detach());
                }
            }
        }
        return Tensors.stack(slopes).toDoubleArray();
    }

    /** The values of a varied input; null for others. */
    private static HostTensor values(Input input) {
        return switch (input) {
            case Input.Varied varied -> varied.values();
            case Input.Symmetric symmetric -> symmetric.values();
            case Input.Fixed _, Input.Constant _ -> null;
        };
    }
}
