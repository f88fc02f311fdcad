package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.Anomaly;
import dev.outpost.complex.ComplexTensor;
import dev.outpost.linalg.Linalg;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Reduction;
import dev.outpost.ops.Masked;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.vocabulary.Ops;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests rare forms of ops; the numbers are those of PyTorch 2.7. */
class FormsOfOpsTest {
    private static RemoteMachine machine;

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    private static List<Tensor> call(String op, List<?> arguments, Map<String, ?> keywords) {
        return Ops.call(machine, op, arguments, keywords);
    }

    private static void assertValues(double[] expected, Tensor actual) {
        assertArrayEquals(expected, actual.float64().toDoubleArray(), 1e-12);
    }

    private static void assertRefused(String message, Executable call) {
        assertEquals(message, assertThrows(OutpostException.class, call).getMessage());
    }

    @Test
    void hermitianTransformsOfSeveralDimensions() {
        Tensor x = machine.tensor(new double[] {1, 2, 3, 4, -1, 0.5}, 2, 3);
        Tensor pairs = machine.tensor(new double[] {1, 0, 2, 1, 3, -1, 4, 2, -1, 0, 0.5, 0.25}, 2, 3, 2);
        ComplexTensor complex = ComplexTensor.viewAsComplex(pairs);
        assertValues(
                new double[] {10.5, 3.5, 6.5, -0.5, 5.5, -3.5, -6.5, -7.5},
                call("fft.hfft2", List.of(complex), Map.of()).getFirst());
        assertValues(
                new double[] {
                    2.857738033247041,
                    2.340099943042,
                    0.9258863806689046,
                    1.2247448713915892,
                    -1.7423829615966306,
                    -3.1565965239697253
                },
                call("fft.hfftn", List.of(complex), Map.of("s", List.of(2, 3), "norm", "ortho"))
                        .getFirst());
        assertValues(
                new double[] {
                    1.5833333333333333,
                    0,
                    0.45833333333333326,
                    -0.3608439182435161,
                    0.41666666666666674,
                    0,
                    -0.9583333333333333,
                    0.07216878364870322
                },
                call("fft.ihfft2", List.of(x), Map.of()).getFirst());
        assertValues(
                new double[] {9.5, 0, 2.75, -2.1650635094610964, 2.5, 0, -5.75, 0.4330127018922194},
                call("fft.ihfftn", List.of(x), Map.of("norm", "forward")).getFirst());
    }

    @Test
    void histogramsOfRows() {
        Tensor rows = machine.tensor(new double[] {0, 0, 1, 0.5, 1, 1, 2, 3, -1, 0.2}, 5, 2);
        Tensor weights = machine.tensor(new double[] {1, 2, 3, 4, 5});
        List<Double> range = List.of(0.0, 2.0, 0.0, 1.5);
        List<Tensor> counted =
                call("histogramdd", List.of(rows, List.of(2, 3)), Map.of("range", range, "weight", weights));
        assertValues(new double[] {1, 0, 0, 0, 2, 3}, counted.get(0));
        assertValues(new double[] {0, 1, 2}, counted.get(1));
        assertValues(new double[] {0, 0.5, 1, 1.5}, counted.get(2));
        assertValues(
                new double[] {2 / 3.0, 0, 0, 0, 2 / 3.0, 2 / 3.0},
                call("histogramdd", List.of(rows, List.of(2, 3)), Map.of("range", range, "density", true))
                        .getFirst());
        List<Tensor> edges = List.of(machine.tensor(new double[] {0, 1.5, 2}), machine.tensor(new double[] {0, 1, 4}));
        assertValues(
                new double[] {2, 1, 0, 1},
                call("histogramdd", List.of(rows, edges), Map.of()).getFirst());
        assertValues(
                new double[] {4, 5},
                call("histogram", List.of(rows.flatten(), machine.tensor(new double[] {0, 1, 3})), Map.of())
                        .getFirst());
    }

    @Test
    void listsOfTensorsHaveDimensionsAdded() {
        List<Tensor> all =
                call("atleast_2d", List.of(List.of(machine.scalar(1), machine.ones(2), machine.ones(1, 1))), Map.of());
        assertEquals(
                List.of(Shape.of(1, 1), Shape.of(1, 2), Shape.of(1, 1)),
                all.stream().map(Tensor::shape).toList());
        assertEquals(
                2,
                call("atleast_1d", List.of(machine.scalar(1), machine.ones(2)), Map.of())
                        .size());
    }

    @Test
    void drawsByName() {
        Tensor weights = machine.tensor(new float[] {0, 2, 0, 1, 0});
        Tensor drawn =
                call("multinomial", List.of(weights, 2_000, true), Map.of()).getFirst();
        assertEquals(2_000, drawn.numel());
        assertTrue(isOneOf(drawn), "an index of weight 0 was drawn");
        Tensor tiny = weights.mul(1e-38).mul(1e-6);
        Tensor ofTiny = tiny.multinomial(2_000, true);
        assertTrue(isOneOf(ofTiny), "an index of weight 0 was drawn");
        assertEquals(
                Shape.of(3),
                call("poisson", List.of(machine.ones(3)), Map.of()).getFirst().shape());
    }

    private static boolean isOneOf(Tensor drawn) {
        return drawn.eq(1).logicalOr(drawn.eq(3)).all().toBooleanArray()[0];
    }

    @Test
    void storageGrows() {
        Tensor x = machine.tensor(new float[] {1, 2, 3});
        x.resize_(2, 3);
        assertValues(new double[] {1, 2, 3, 0, 0, 0}, x);
        x.mul_(2).resize_(2);
        assertValues(new double[] {2, 4}, x);
        x.resize_(7);
        assertValues(new double[] {2, 4, 6, 0, 0, 0, 0}, x);
        Tensor view = x.view(7, 1);
        assertRefused(
                "resize_: the storage cannot grow while other tensors see it, got [8] for float32[7]; close them, or"
                        + " make a larger tensor by pad or cat",
                () -> x.resize_(8));
        view.close();
        assertEquals(Shape.of(8), x.resize_(8).shape());
        Tensor none = machine.ones(0);
        assertValues(new double[] {0, 0}, none.resize_(2));
    }

    @Test
    void smallIntegersAreNoIndices() {
        Tensor x = machine.ones(3, 3);
        for (DType dtype : new DType[] {DType.INT16, DType.INT8}) {
            Tensor index = machine.zeros(dtype, 2);
            assertThrows(OpException.class, () -> x.indexSelect(0, index));
            assertThrows(OpException.class, () -> x.gather(0, index.unsqueeze(0)));
            assertThrows(OpException.class, () -> x.take(index));
            assertThrows(OpException.class, () -> x.scatterAdd(0, index.unsqueeze(0), x));
        }
        assertRefused(
                "index_select: the index must be int64, got uint8; cast with to(DType.INT64)",
                () -> x.indexSelect(0, machine.zeros(DType.UINT8, 2)));
        assertEquals(
                Shape.of(2, 3), x.indexSelect(0, machine.zeros(DType.INT32, 2)).shape());
    }

    @Test
    void reflectionsOfWideAndOfNoMatrices() {
        Tensor wide = machine.randn(2, 4).float64();
        Tensor factors = machine.rand(2).float64();
        Tensor other = machine.randn(2, 3).float64();
        Tensor square = wide.narrow(1, 0, 2);
        assertValues(
                Linalg.ormqr(square, factors, other, true, false).toDoubleArray(),
                Linalg.ormqr(wide, factors, other, true, false));
        Tensor none = machine.zeros(DType.FLOAT64, 2, 0);
        assertValues(other.toDoubleArray(), Linalg.ormqr(none, machine.zeros(DType.FLOAT64, 0), other, true, false));
        assertEquals(
                Shape.of(2, 0), Linalg.ormqr(square, factors, none, true, false).shape());
    }

    @Test
    void distancesOfEveryOrderHaveGradients() {
        Tensor x = machine.randn(3, 4).float64().requiresGrad(true);
        Tensor y = machine.randn(2, 4).float64();
        for (double p : new double[] {0, 0.5, 1, 1.5, 2, 3, Double.POSITIVE_INFINITY}) {
            x.grad(null);
            Tensor distances = x.cdist(y, p);
            distances.sum().backward();
            Tensor by = x.grad();
            double[] slopes = by.toDoubleArray();
            for (int element = 0; element < 12; element++) {
                Tensor step = machine.zeros(DType.FLOAT64, 12);
                step.select(0, element).fill_(1e-6);
                Tensor moved = x.detach().add(step.view(3, 4));
                Tensor back = x.detach().sub(step.view(3, 4));
                double slope = (moved.cdist(y, p).sum().itemDouble()
                                - back.cdist(y, p).sum().itemDouble())
                        / 2e-6;
                assertEquals(p == 0 ? 0 : slope, slopes[element], 1e-5 * Math.max(1, Math.abs(slope)), "order " + p);
            }
            Tensor ofPairs = x.detach().cdist(x.detach(), p).flatten();
            assertValues(
                    ofPairs.indexSelect(0, machine.tensor(new long[] {1, 2, 5})).toDoubleArray(),
                    x.detach().pdist(p));
        }
        assertEquals(
                Shape.of(2, 3), machine.ones(2, 0).cdist(machine.ones(3, 0), 2).shape());
    }

    @Test
    void masksAreSpreadOverTheInputOnly() {
        Tensor x = machine.ones(2, 3);
        Tensor mask = machine.ones(DType.BOOL, 1, 2, 3);
        assertRefused(
                "cumprod: the mask must broadcast to the input, got [1, 2, 3] and [2, 3]",
                () -> Masked.cumprod(x, mask, 1));
    }

    @Test
    void polynomialsHaveTheDTypeThatBothArePromotedTo() {
        Tensor x = machine.tensor(new long[] {1, 2});
        Tensor degree = machine.tensor(new double[] {1, 2});
        assertEquals(DType.FLOAT64, x.shiftedChebyshevPolynomialT(degree).dtype());
        assertEquals(
                DType.FLOAT64,
                x.shiftedChebyshevPolynomialT(machine.scalar(2.0).float64()).dtype());
        assertEquals(DType.FLOAT32, x.shiftedChebyshevPolynomialT(x).dtype());
    }

    @Test
    void normsOfHalvesThatGoBySums() {
        Tensor ones = machine.ones(DType.BFLOAT16, 2, 2);
        Tensor norm = Linalg.matrixNorm(ones, 1);
        assertEquals(DType.BFLOAT16, norm.dtype());
        assertValues(new double[] {2}, norm);
        assertThrows(OpException.class, () -> Linalg.matrixNorm(ones, 2));
    }

    @Test
    void lossesOfSequencesCheckTheirLengths() {
        Tensor logits = machine.zeros(3, 1, 4).logSoftmax(2);
        Tensor targets = machine.tensor(new long[] {1, 2}, 1, 2);
        Tensor two = machine.tensor(new long[] {2});
        OutpostException late = assertThrows(
                OutpostException.class,
                () -> loss(logits, targets, machine.tensor(new long[] {9}), two).itemDouble());
        assertTrue(
                late.getMessage().contains("input length 9 is out of range for 4 lengths from 0 on"),
                late.getMessage());
        assertRefused(
                "ctc_loss: the target lengths must be integers, got float32[1]",
                () -> loss(logits, targets, two, machine.ones(1)));
    }

    private static Tensor loss(Tensor logits, Tensor targets, Tensor inputLengths, Tensor targetLengths) {
        return Functional.ctcLoss(logits, targets, inputLengths, targetLengths, 0, Reduction.SUM, false);
    }

    @Test
    void windowsCheckTheirSizes() {
        long[] two = {2, 2};
        long[] one = {1, 1};
        long[] none = {0, 0};
        Tensor columns = machine.ones(1, 4, 1);
        assertRefused(
                "fold: the kernel must be two numbers of at least 1, got [2]",
                () -> Functional.fold(columns, two, new long[] {2}, one, none, one));
        assertRefused(
                "fold: the padding must be two numbers of at least 0, got [-1, 0]",
                () -> Functional.fold(columns, two, two, one, new long[] {-1, 0}, one));
        assertRefused(
                "fold: the output must be two numbers of at least 1, got [0, 2]",
                () -> Functional.fold(columns, new long[] {0, 2}, two, one, none, one));
    }

    @Test
    void theFirstNanIsFoundOnSeveralMachines() {
        try (RemoteMachine other = RemoteMachine.of("mock", "A100")) {
            OutpostException found = assertThrows(
                    OutpostException.class,
                    () -> Anomaly.detect(() -> {
                        machine.ones(2).add(1);
                        other.ones(2).neg().log();
                        return machine.ones(2).neg().sqrt();
                    }));
            assertTrue(found.getMessage().contains("the first NaN was made by log"), found.getMessage());
        }
    }
}
