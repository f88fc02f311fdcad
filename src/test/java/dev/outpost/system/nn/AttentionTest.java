package dev.outpost.system.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.Autograd;
import dev.outpost.nn.Functional;
import dev.outpost.nn.ScaledDotProductAttention;
import dev.outpost.system.Closeness;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** PyTorch's documented behaviour of masks; without one, the parity cases show it. */
class AttentionTest {
    private static final int KEYS = 4;
    private static final int QUERIES = 3;

    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    private final Tensor query = drawn(1, 2, QUERIES, 5);
    private final Tensor key = drawn(2, 2, KEYS, 5);
    private final Tensor value = drawn(3, 2, KEYS, 2);

    private static Tensor drawn(long seed, long... shape) {
        machine.manualSeed(seed);
        return machine.randn(DType.FLOAT64, shape).requiresGrad(true);
    }

    private static final double[] MASK = {0.5, -1, 2, 0, 0, 0, 0.25, -3, 1, -0.5, 0, 4};

    @Test
    void numbersAreAddedToTheScores() {
        ScaledDotProductAttention attention = attend(machine.tensor(MASK, QUERIES, KEYS));
        double[] q = query.toDoubleArray();
        double[] k = key.toDoubleArray();
        double[] v = value.toDoubleArray();
        double[] expected = new double[2 * QUERIES * 2];
        for (int row = 0; row < 2 * QUERIES; row++) {
            int batch = row / QUERIES;
            int at = row;
            double[] weights = IntStream.range(0, KEYS)
                    .mapToDouble(to -> Math.exp(
                            dot(q, at * 5, k, (batch * KEYS + to) * 5) / Math.sqrt(5) + MASK[at % QUERIES * KEYS + to]))
                    .toArray();
            for (int to = 0; to < KEYS; to++) {
                double weight = weights[to] / Arrays.stream(weights).sum();
                expected[2 * row] += weight * v[(batch * KEYS + to) * 2];
                expected[2 * row + 1] += weight * v[(batch * KEYS + to) * 2 + 1];
            }
        }
        Closeness.assertClose(expected, attention.output());
    }

    private static double dot(double[] left, int leftAt, double[] right, int rightAt) {
        return IntStream.range(0, 5)
                .mapToDouble(feature -> left[leftAt + feature] * right[rightAt + feature])
                .sum();
    }

    @Test
    void aMaskOfWhatIsPastIsTheCausalOne() {
        Tensor past = machine.ones(DType.BOOL, QUERIES, KEYS).tril();
        Tensor future =
                machine.zeros(DType.FLOAT64, QUERIES, KEYS).maskedFill(past.logicalNot(), Double.NEGATIVE_INFINITY);
        ScaledDotProductAttention causal = Functional.scaledDotProductAttention(query, key, value, true);
        for (Tensor mask : List.of(past, future)) {
            ScaledDotProductAttention masked = attend(mask);
            assertArrayEquals(causal.output().toDoubleArray(), masked.output().toDoubleArray());
            assertArrayEquals(causal.weights().toDoubleArray(), masked.weights().toDoubleArray());
            List<Tensor> expected = gradients(causal.output());
            List<Tensor> found = gradients(masked.output());
            for (int input = 0; input < 3; input++) {
                Closeness.assertClose(expected.get(input).toDoubleArray(), found.get(input));
            }
        }
    }

    private List<Tensor> gradients(Tensor output) {
        return Autograd.grad(output.square().sum(), List.of(query, key, value), null, true, false);
    }

    @Test
    void theMaskHasAGradient() {
        Tensor mask = machine.tensor(MASK, QUERIES, KEYS).requiresGrad(true);
        Tensor slope = Autograd.grad(attend(mask).output().square().sum(), List.of(mask), null, false, false)
                .getFirst();
        double[] found = slope.toDoubleArray();
        double step = 1e-5;
        for (int element = 0; element < MASK.length; element++) {
            double central = (loss(element, step) - loss(element, -step)) / (2 * step);
            assertEquals(central, found[element], 1e-8, "element " + element);
        }
    }

    private double loss(int element, double by) {
        double[] moved = MASK.clone();
        moved[element] += by;
        return attend(machine.tensor(moved, QUERIES, KEYS))
                .output()
                .square()
                .sum()
                .itemDouble();
    }

    @Test
    void fullyMaskedRowIsNaN() {
        Tensor nothing = machine.zeros(DType.BOOL, QUERIES, KEYS);
        double[] output = attend(nothing).output().toDoubleArray();
        assertTrue(Arrays.stream(output).allMatch(Double::isNaN), Arrays.toString(output));
    }

    /** The result is as if each key and value were repeated for each head that shares it; leading dimensions broadcast. */
    @Test
    void headsShareGroupsOfKeys() {
        Tensor queries = drawn(4, 2, 3, 6, QUERIES, 5);
        Tensor keys = drawn(5, 3, 2, KEYS, 5);
        Tensor values = drawn(6, 2, 1, 2, KEYS, 2);
        Tensor mask = machine.tensor(MASK, QUERIES, KEYS);
        ScaledDotProductAttention grouped =
                Functional.scaledDotProductAttention(queries, keys, values, mask, false, 0.3);
        ScaledDotProductAttention repeated = Functional.scaledDotProductAttention(
                queries, keys.repeatInterleave(3, -3), values.repeatInterleave(3, -3), mask, false, 0.3);
        Tensor composed = queries.mul(0.3)
                .matmul(keys.repeatInterleave(3, -3).mT())
                .add(mask)
                .softmax(-1);
        Closeness.assertClose(composed.toDoubleArray(), grouped.weights());
        Tensor answers = composed.matmul(values.repeatInterleave(3, -3));
        assertEquals(answers.shape(), grouped.output().shape());
        Closeness.assertClose(answers.toDoubleArray(), grouped.output());
        List<Tensor> inputs = List.of(queries, keys, values);
        List<Tensor> expected = slopes(answers, inputs);
        for (ScaledDotProductAttention attention : List.of(grouped, repeated)) {
            List<Tensor> found = slopes(attention.output(), inputs);
            for (int input = 0; input < 3; input++) {
                Closeness.assertClose(expected.get(input).toDoubleArray(), found.get(input));
            }
        }
    }

    private static List<Tensor> slopes(Tensor output, List<Tensor> inputs) {
        return Autograd.grad(output.square().sum(), inputs, null, true, false);
    }

    /** Fewer keys than queries: the first query sees the first key, as in PyTorch. */
    @Test
    void theFirstQuerySeesTheFirstKeyWhateverTheirNumbers() {
        Tensor few = key.narrow(1, 0, 2);
        Tensor values = value.narrow(1, 0, 2);
        double[] output = Functional.scaledDotProductAttention(query, few, values, true)
                .output()
                .select(1, 0)
                .toDoubleArray();
        assertArrayEquals(value.select(1, 0).toDoubleArray(), output);
    }

    @Test
    void attentionWithoutKeysIsEmpty() {
        Tensor output = Functional.scaledDotProductAttention(query, key.narrow(1, 0, 0), value.narrow(1, 0, 0), false)
                .output();
        assertArrayEquals(new double[2 * QUERIES * 2], output.toDoubleArray());
    }

    /** A bool mask excludes queries that see nothing from all gradients. */
    @Test
    void fullyMaskedRowHasNoGradient() {
        Tensor seen = machine.ones(DType.BOOL, QUERIES, KEYS).tril(-1);
        Tensor some = attend(seen).output().narrow(1, 1, QUERIES - 1);
        List<Tensor> found = gradients(some);
        Tensor past = seen.narrow(0, 1, QUERIES - 1);
        Tensor plain = Functional.scaledDotProductAttention(query.narrow(1, 1, QUERIES - 1), key, value, past, false)
                .output();
        List<Tensor> expected = gradients(plain);
        for (int input = 0; input < 3; input++) {
            Closeness.assertClose(expected.get(input).toDoubleArray(), found.get(input));
        }
    }

    @Test
    void mismatchedOperandsAreRefused() {
        refuses(
                "heads must be as many, or divide into groups, got [2, 3, 5], [3, 4, 5] and [3, 4, 2]",
                () -> Functional.scaledDotProductAttention(query, drawn(1, 3, 4, 5), drawn(1, 3, 4, 2), false));
        refuses(
                "query and key must have the same features, got [2, 3, 5], [2, 4, 2] and [2, 4, 2]",
                () -> Functional.scaledDotProductAttention(query, value, value, false));
        Tensor mask = machine.zeros(DType.FLOAT64, QUERIES, KEYS);
        refuses(
                "a mask and a causal one exclude each other, got both: float64[3,4]",
                () -> Functional.scaledDotProductAttention(query, key, value, mask, true));
        refuses(
                "the mask must broadcast to the scores, got [5, 4] and [2, 3, 4]",
                () -> attend(machine.zeros(DType.FLOAT64, 5, KEYS)));
        refuses(
                "the mask must be bool or of the query's dtype, got float32 and float64",
                () -> attend(machine.zeros(QUERIES, KEYS)));
    }

    private static void refuses(String message, Runnable call) {
        OpException refusal = assertThrows(OpException.class, call::run);
        assertEquals("scaled_dot_product_attention: " + message, refusal.getMessage());
    }

    private ScaledDotProductAttention attend(Tensor mask) {
        return Functional.scaledDotProductAttention(query, key, value, mask, false);
    }
}
