package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.autograd.Autograd;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Reduction;
import dev.outpost.ops.Masked;
import dev.outpost.ops.PadMode;
import dev.outpost.ops.QuantileOps.Interpolation;
import dev.outpost.ops.ScatterReduce;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests the differences from PyTorch that random samples found (./outpost parity --torch --samples), each with PyTorch's answer.
 */
class RandomSampleFindingsTest extends OpsOnAMachine {
    private static Tensor padded(PadMode mode, long before, long after) {
        return doubles(0, 1, 2).reshape(1, 3).pad(mode, before, after);
    }

    @Test
    void elementsAreTakenAwayInEveryModeOfPadding() {
        assertValues(padded(PadMode.REFLECT, -1, 2), 1, 2, 1, 0);
        assertValues(padded(PadMode.REFLECT, 2, -1), 2, 1, 0, 1);
        assertValues(padded(PadMode.REFLECT, 1, -2), 1, 0);
        assertValues(padded(PadMode.REPLICATE, -1, 2), 1, 2, 2, 2);
        assertValues(padded(PadMode.REPLICATE, 3, -1), 0, 0, 0, 0, 1);
        assertValues(padded(PadMode.CIRCULAR, -1, 2), 1, 2, 1, 2);
        assertValues(padded(PadMode.CIRCULAR, 1, -2), 0, 0);
        assertValues(padded(PadMode.CIRCULAR, 0, -3));
        Tensor square = machine.arange(0, 16, 1, DType.FLOAT64).reshape(1, 1, 4, 4);
        assertValues(square.pad(PadMode.REFLECT, -1, 1, -2, 1), 9, 10, 11, 10, 13, 14, 15, 14, 9, 10, 11, 10);
        assertIs(DType.FLOAT64, Shape.of(1, 1, 0, 2), square.pad(PadMode.REPLICATE, -2, 0, -1, -3));
    }

    @Test
    void moreThanIsThereCannotBeTakenAway() {
        assertRefused(
                "pad: more is taken away than there is, got [1, -5] for [1, 3]", () -> padded(PadMode.REFLECT, 1, -5));
        assertRefused(
                "pad: no element is left to be repeated, got [1, -3] for [1, 3]",
                () -> padded(PadMode.CIRCULAR, 1, -3));
        assertRefused(
                "pad: at most 2 elements can be added to dimension 1, got [3, -1] for [1, 3]",
                () -> padded(PadMode.REFLECT, 3, -1));
    }

    @Test
    void aGradientFlowsToWhatPaddingKeeps() {
        Tensor x = doubles(0, 1, 2).reshape(1, 3).requiresGrad(true);
        x.pad(PadMode.REFLECT, -1, 2).backward(doubles(1, 10, 100, 1000).reshape(1, 4));
        assertValues(x.grad(), 1000, 101, 10);
    }

    @Test
    void cosinesAreOfVectorsThatAreBroadcastFirst() {
        Tensor pair = doubles(1, 1).reshape(1, 2);
        assertValues(Functional.cosineSimilarity(pair, doubles(1).reshape(1, 1, 1), -1), 1);
        assertValues(Functional.cosineSimilarity(longs(3, 4), floats(3, 4), 0), 1);
    }

    @Test
    void aGradientFlowsThroughANormThatIsTooSmallToDivideBy() {
        Tensor x = doubles(0.3, 0.4).requiresGrad(true);
        Functional.cosineSimilarity(x, doubles(1, 0), 0, 2).sum().backward();
        // With n = |x| taken for 2 where it divides: d/dx (x1 / n) / 2, and dn/dx = x / 0.5.
        assertValues(x.grad(), (1 / 2.0 - 0.3 * 0.6 / 4) / 2, -0.3 * 0.8 / 4 / 2);
    }

    @Test
    void aNumberHasNoDimensionThatAQuantileKeeps() {
        Tensor number = doubles(7).reshape();
        assertIs(DType.FLOAT64, Shape.of(1), number.quantile(doubles(0.5), 0, true, Interpolation.MIDPOINT));
        assertIs(DType.FLOAT64, Shape.of(2), number.nanquantile(doubles(0.5, 0.2), 0, true));
        assertIs(DType.FLOAT64, Shape.of(1, 1), doubles(7).quantile(doubles(0.5), 0, true));
    }

    @Test
    void maskedRunningSumsOfIntegersKeepTheirDType() {
        Tensor bytes = longs(200, 100).uint8();
        assertIs(DType.UINT8, Shape.of(2), Masked.cumsum(bytes, null, 0));
        assertValues(Masked.cumsum(bytes, bools(true, true), 0), 200, 44);
        assertValues(Masked.cumprod(longs(20, 10).int8(), null, 0), 20, -56);
    }

    @Test
    void narrowIntegersAreCountedAsFloats() {
        assertValues(machine.arange(0, 3.1, 1, DType.UINT8), 0, 1, 2, 3);
        assertValues(machine.arange(0, 3.1, 1, DType.INT64), 0, 1, 2);
        assertValues(machine.arange(0.9, 3.1, 1.9, DType.INT16), 0, 1);
        assertValues(machine.arange(0.9, 3.1, 1.9, DType.INT64), 0, 1, 2);
    }

    @Test
    void lossesTakeBoolsBesideFloats() {
        Tensor target = floats(0.5);
        assertValues(Functional.smoothL1Loss(bools(true), target, 1, Reduction.MEAN), 0.125);
        assertValues(Functional.mseLoss(bools(true), target, Reduction.MEAN), 0.25);
    }

    @Test
    void samplesThatPyTorchRefusesAreRefused() {
        Tensor row = doubles(1, 2).reshape(1, 2);
        assertRefused(
                "renorm: the order must be positive and the largest norm not negative, got -2.0 and 1.0",
                () -> row.renorm(-2, 0, 1));
        assertRefused(
                "isclose: tolerances must not be negative, got NaN and 1.0E-8",
                () -> row.allclose(row, NAN, 1e-8, false));
        assertRefused(
                "triplet_margin_loss: the margin must be positive, got 0.0",
                () -> Functional.tripletMarginLoss(row, row, row, 0, 2, 1e-6, false, Reduction.MEAN));
        assertRefused(
                "triplet_margin_loss: as many dimensions are needed of each, got [1, 2], [1, 2] and [2]",
                () -> Functional.tripletMarginLoss(row, row, doubles(1, 2)));
        assertRefused(
                "group_norm: more than one value is needed for a mean, got [1, 2]",
                () -> Functional.groupNorm(row, 2, null, null, 1e-5));
        assertRefused(
                "instance_norm: more than one value is needed for a mean, got [1, 2, 1]",
                () -> Functional.instanceNorm(row.unsqueeze(-1), null, null, null, null, 0.1, 1e-5));
        assertValues(Functional.groupNorm(doubles(3, 4).reshape(2, 1), 1, null, null, 1e-5), 0, 0);
        assertThrows(OpException.class, () -> Tensors.meshgrid(longs(1), doubles(1)));
        assertThrows(OpException.class, () -> machine.triuIndices(2, -1, 0));
    }

    @Test
    void anOrderOfDistancesIsNotNegative() {
        assertRefused(
                "pdist: the order must not be negative, got -1.0",
                () -> doubles(1, 2).reshape(2, 1).pdist(-1));
    }

    @Test
    void aGradientThatIsNotANumberReachesWhatIsNotTheExtreme() {
        Tensor base = doubles(0, 0).requiresGrad(true);
        Tensor source = doubles(1).requiresGrad(true);
        base.scatterReduce(0, longs(1), source, ScatterReduce.AMAX, true).backward(doubles(2, NAN));
        assertValues(base.grad(), 2, NAN);
        assertValues(source.grad(), NAN);
    }

    @Test
    void everyElementButOneOfAProductIsInItsGradientsGradient() {
        for (Tensor x : List.of(doubles(2, 0, 3), doubles(0, 0, 3))) {
            Tensor leaf = x.requiresGrad(true);
            Tensor first =
                    Autograd.grad(leaf.prod(), List.of(leaf), null, true, true).getFirst();
            Tensor second = Autograd.grad(first.select(0, 1), List.of(leaf)).getFirst();
            assertEquals(3, second.toDoubleArray()[0]);
            assertEquals(x.toDoubleArray()[0], second.toDoubleArray()[2]);
        }
    }
}
