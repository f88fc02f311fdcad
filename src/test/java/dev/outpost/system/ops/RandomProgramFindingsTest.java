package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Reduction;
import dev.outpost.ops.ScatterReduce;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests the differences from PyTorch that random programs found (./outpost parity --torch), each with PyTorch's answer. */
class RandomProgramFindingsTest extends OpsOnAMachine {

    @Test
    void anIntegerPowerOfTwoTakesTheDTypeOfWhatItScales() {
        for (DType dtype : List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT64)) {
            Tensor scaled = doubles(1.5, -2).to(dtype).ldexp(longs(2, 3));
            assertIs(dtype, Shape.of(2), scaled);
            assertValues(scaled, 6, -16);
        }
        assertIs(DType.FLOAT32, Shape.of(1), longs(3).ldexp(longs(1)));
        assertIs(DType.FLOAT64, Shape.of(1), floats(3).ldexp(doubles(1)));
    }

    @Test
    void sincOfHalvesIsComputedInFloat32() {
        Tensor x = doubles(1, 2, 0, 0.5);
        assertTrue(x.float16().sinc().abs().select(0, 0).itemDouble() < 1e-5);
        assertTrue(x.bfloat16().sinc().abs().select(0, 1).itemDouble() < 1e-5);
        assertIs(DType.FLOAT32, Shape.of(1), longs(1).sinc());
    }

    @Test
    void geluOfHalvesKeepsTheDigitsOfWhatCancels() {
        double exact = -1.75 * 0.5 * (1 - 0.9198817);
        assertEquals(exact, doubles(-1.75).bfloat16().gelu().select(0, 0).itemDouble(), 3e-4);
        assertIs(DType.BFLOAT16, Shape.of(1), doubles(-1.75).bfloat16().gelu());
        Tensor leaf = doubles(-1.75).bfloat16().requiresGrad(true);
        leaf.gelu().sum().backward();
        assertIs(DType.BFLOAT16, Shape.of(1), leaf.grad());
    }

    @Test
    void trapezoidsOfIntegersAreTheSumLessHalfOfTheEnds() {
        assertValues(longs(255).uint8().trapezoid(1, 0), 128);
        assertValues(longs(100, 3, 5).uint8().trapezoid(1, 0), 55.5);
        assertValues(doubles(-INF).trapezoid(1, 0), NAN);
        assertIs(DType.INT32, Shape.SCALAR, longs().int32().trapezoid(1, 0));
        assertIs(DType.FLOAT32, Shape.SCALAR, longs(1, 2).int32().trapezoid(1, 0));
    }

    @Test
    void trapezoidsOfBoolsAreRefused() {
        assertRefused(
                "trapezoid: not defined for bool, got bool[2]",
                () -> bools(true, false).trapezoid(1, 0));
        assertRefused(
                "cumulative_trapezoid: not defined for bool, got bool[2]",
                () -> bools(true, false).cumulativeTrapezoid(1, 0));
    }

    @Test
    void nothingHasNoLargestMagnitude() {
        assertRefused(
                "vector_norm: order Infinity needs elements, got float64[0]",
                () -> doubles().norm(INF));
        assertRefused(
                "vector_norm: order -1.0 needs elements, got float64[0]",
                () -> doubles().norm(-1));
        assertValues(doubles().norm(2), 0);
    }

    @Test
    void maskAndTensorOfAMaskedScatterBroadcastWithEachOther() {
        Tensor scalar = machine.scalar(7.0);
        Tensor scattered = scalar.maskedScatter(bools(true, false), doubles(1, 2));
        assertIs(DType.FLOAT64, Shape.of(2), scattered);
        assertValues(scattered, 1, 7);
        assertEquals(Shape.of(0), doubles().maskedScatter(bools(), doubles()).shape());
    }

    @Test
    void aBoolIsNotSubtractedTimesAFactorEither() {
        assertRefused(
                "sub: not defined for bool, use logicalXor or logicalNot, got float64[1] and bool[1]",
                () -> doubles(1).sub(bools(true), 4));
    }

    @Test
    void logitHasNoGradientWhereItHasNoValue() {
        assertValues(slope(Tensor::logit, 0.5, -0.75, 1.5, 0), 4, NAN, NAN, INF);
        assertValues(doubles(0.5, -0.75, 1).logit(), 0, NAN, INF);
    }

    @Test
    void scatterIntoAnEmptyTensorStillRequiresGradients() {
        Tensor source = doubles().requiresGrad(true);
        assertTrue(doubles().maskedScatter(bools(), source).requiresGrad());
    }

    @Test
    void aWholeNumberBelowZeroWrapsWhereBytesArePadded() {
        assertValues(longs(7).uint8().pad(-1, 1, 0), 255, 7);
    }

    @Test
    void anOuterProductOfIntegersIsScaledByWholeNumbersOnly() {
        assertRefused(
                "addr: beta and alpha must be whole numbers for int64, got 1.5",
                () -> longs(1).addr(longs(1), longs(1), 1.5, 1));
        assertRefused(
                "addr: beta and alpha must be whole numbers for int64, got 0.0",
                () -> longs(1).addr(longs(1), longs(1), 1, 0.0));
        assertValues(longs(1).addr(longs(2), longs(3), 2, 3), 20);
    }

    @Test
    void elementsThatEqualTheMedianShareItsGradient() {
        assertValues(slope(Tensor::median, 2, 2, 5, 1), 0.5, 0.5, 0, 0);
        assertValues(slope(Tensor::nanmedian, 2, NAN, 2, 5), 0.5, 0, 0.5, 0);
        assertValues(slope(Tensor::median, NAN, 2, NAN), 0.5, 0, 0.5);
    }

    @Test
    void nansShareTheGradientOfTheLargestOfAll() {
        assertValues(slope(Tensor::max, NAN, 2, NAN), 0.5, 0, 0.5);
        assertValues(slope(Tensor::min, 2, 2, NAN, 1), 0, 0, 1, 0);
        assertValues(slope(Tensor::max, 2, 2, 1), 0.5, 0.5, 0);
    }

    @Test
    void groupsOfHalvesAreNormalizedInFloat32() {
        Tensor x = doubles(-2, 2, 0.5).bfloat16().view(1, 1, 3);
        double deviation = Math.sqrt(2.7222222 + 1e-5);
        assertValues(
                Functional.groupNorm(x, 1, null, null, 1e-5).float64().round(2).flatten(),
                Math.round(100 * (-2 - 1 / 6.0) / deviation) / 100.0,
                Math.round(100 * (2 - 1 / 6.0) / deviation) / 100.0,
                Math.round(100 * (0.5 - 1 / 6.0) / deviation) / 100.0);
        assertIs(DType.BFLOAT16, Shape.of(1, 1, 3), Functional.groupNorm(x, 1, null, null, 1e-5));
    }

    @Test
    void hardswishOfHalvesIsRoundedOnce() {
        Tensor leaf = doubles(0.322265625).float16().requiresGrad(true);
        leaf.hardswish().backward(doubles(-1.771484375).float16());
        assertEquals(
                -1.771484375 * (2 * 0.322265625 + 3) / 6,
                leaf.grad().select(0, 0).itemDouble(),
                3e-4);
        assertIs(DType.FLOAT16, Shape.of(1), leaf.grad());
    }

    @Test
    void huberOfAnInfiniteDistanceHasTheSlopeOfItsLine() {
        assertValues(
                slope(x -> Functional.huberLoss(x, x.zerosLike(), 0.5, Reduction.NONE), INF, -INF, 3, 0.25, NAN),
                0.5,
                -0.5,
                0.5,
                0.25,
                NAN);
        assertValues(
                slope(x -> Functional.smoothL1Loss(x, x.zerosLike(), 0.5, Reduction.NONE), INF, -INF, 3, 0.25),
                1,
                -1,
                1,
                0.5);
        assertValues(
                Functional.huberLoss(doubles(INF, 3, 0.25), doubles(0, 0, 0), 0.5, Reduction.NONE),
                INF,
                1.375,
                0.03125);
    }

    @Test
    void emptyVectorsHaveACosineOfZero() {
        Tensor nothing = doubles().float16();
        assertValues(Functional.cosineSimilarity(nothing, nothing, -1), 0);
        assertValues(Functional.cosineSimilarity(doubles(3, 4), doubles(4, 3), 0), 0.96);
    }

    @Test
    void boundsOfBytesCountAsWholeNumbers() {
        assertValues(longs(3, 0, 1).uint8().hardtanh(-0.25, 1.5), 1, 0, 1);
        assertRefused(
                "hardtanh: bounds of uint8 must not be negative, got -1.0 and 1.5",
                () -> longs(3).uint8().hardtanh(-1.0, 1.5));
    }

    @Test
    void nanHasTheSlopeOfAPositiveNumberInAnElu() {
        assertValues(slope(x -> x.elu(2), NAN, 1, 0), 1, 1, 2);
        assertValues(slope(x -> x.celu(2), NAN, 1, 0), 1, 1, 1);
        assertValues(doubles(NAN, 1, 0).elu(), NAN, 1, 0);
    }

    @Test
    void aPreluHasNoSlopeWhereItIsNotBent() {
        assertValues(slope(x -> x.prelu(doubles(NAN)), 1, -1), 1, NAN);
        Tensor weight = doubles(0.25).requiresGrad(true);
        doubles(INF, 1, -2).prelu(weight).sum().backward();
        assertValues(weight.grad(), -2);
    }

    @Test
    void logsigmoidOfHalvesIsRoundedOnce() {
        double x = -1.9521484375;
        assertEquals(
                x - Math.log1p(Math.exp(x)),
                doubles(x).float16().logsigmoid().select(0, 0).itemDouble(),
                1e-3);
        assertIs(DType.FLOAT16, Shape.of(1), doubles(x).float16().logsigmoid());
    }

    @Test
    void aLayerNormOfHalvesIsScaledAndShiftedInFloat32() {
        Tensor x = longs(32, 62, 20).float16();
        double deviation = Math.sqrt(312 + 1e-5);
        Tensor normal = Functional.layerNorm(x, new long[] {3}, x, x, 1e-5);
        assertIs(DType.FLOAT16, Shape.of(3), normal);
        assertEquals(20 * (-18 / deviation) + 20, normal.select(0, 2).itemDouble(), 4e-4);
    }

    @Test
    void runningTrapezoidsAreHalvedBeforeTheyAreAdded() {
        long min = Long.MIN_VALUE;
        assertValues(longs(min, -1, 5).cumulativeTrapezoid(1, 0), 0x1p62, 0x1p62);
        Tensor nothing = doubles().requiresGrad(true);
        assertEquals(false, nothing.trapezoid(1, 0).requiresGrad());
    }

    @Test
    void theLogarithmOfASumOfPowersOfHalvesIsRoundedOnce() {
        double exact = -0.75 + Math.log1p(Math.pow(2, -0.5)) / Math.log(2);
        Tensor sum = doubles(-0.75).float16().logaddexp2(doubles(-1.25).float16());
        assertIs(DType.FLOAT16, Shape.of(1), sum);
        assertEquals(exact, sum.select(0, 0).itemDouble(), 2e-5);
    }

    @Test
    void nanHasTheSlopeOfAPositiveNumberInARelu() {
        assertValues(slope(Tensor::relu, NAN, 1, 0, -1), 1, 1, 0, 0);
    }

    @Test
    void aHardSigmoidIsFlatAtItsBendsAndAtNan() {
        assertValues(slope(Tensor::hardsigmoid, NAN, -3, 0, 3, 5), 0, 0, 1 / 6.0, 0, 0);
        assertValues(doubles(NAN, -3, 0, 5).hardsigmoid(), NAN, 0, 0.5, 1);
    }

    @Test
    void aHardSwishHasTheSlopeOfItsLinesAtItsBends() {
        assertValues(slope(Tensor::hardswish, -3, 3, 0, -4, 4), 0, 1, 0.5, 0, 1);
        assertValues(slope(Tensor::hardswish, NAN, INF, -INF), 1, 1, 0);
        Tensor leaf = doubles(-4, 0).requiresGrad(true);
        leaf.hardswish().backward(doubles(NAN, NAN));
        assertValues(leaf.grad(), 0, NAN);
    }

    @Test
    void decimalsOfHalvesAreRoundedInFloat32() {
        assertEquals(
                0.64306640625,
                doubles(0.642578125).float16().round(3).select(0, 0).itemDouble());
        assertEquals(65504, doubles(65504).float16().round(3).select(0, 0).itemDouble());
        assertIs(DType.BFLOAT16, Shape.of(1), doubles(2.675).bfloat16().round(1));
    }

    @Test
    void theDeviationOfHalvesIsRoundedOnce() {
        Tensor x = doubles(300, -300).float16();
        assertValues(x.std(new int[0], 0, false), 300);
        assertValues(x.stdMean(new int[0], 0, false).deviation(), 300);
        assertValues(x.var(new int[0], 0, false), INF);
        assertIs(DType.FLOAT16, Shape.SCALAR, x.std());
    }

    @Test
    void aNormOfZeroPassesOnThatItsGradientIsNan() {
        Tensor leaf = doubles(0, 0).requiresGrad(true);
        leaf.norm().backward(doubles(NAN).select(0, 0));
        assertValues(leaf.grad(), NAN, NAN);
        assertValues(slope(Tensor::norm, 0, 0), 0, 0);
        assertValues(slope(Tensor::norm, 3, -4), 0.6, -0.8);
        assertValues(slope(x -> Functional.normalize(x, 2, 0, 0), 0), INF);
    }

    @Test
    void infinityTimesTheSlopeOfNanIsNan() {
        assertValues(slope(Tensor::nanmean, NAN, NAN), NAN, NAN);
        assertValues(slope(x -> x.nansum().mul(INF), NAN, 1), NAN, INF);
        assertValues(slope(Tensor::nanmean, NAN, 1), 0, 1);
    }

    @Test
    void nanSharesTheGradientOfTheLargestMagnitude() {
        assertValues(slope(x -> x.norm(INF), 1, NAN, -2), 0, 0, 0);
        assertValues(slope(x -> x.norm(INF), 2, 1, -2), 0.5, 0, -0.5);
        assertValues(slope(x -> x.norm(-INF), 2, -1), 0, -1);
    }

    @Test
    void aNormOfNanHasNoSlopeAnywhere() {
        assertValues(slope(x -> x.norm(3), 0, -1, NAN), NAN, NAN, NAN);
        assertValues(slope(x -> x.norm(1.5), 0, 1, NAN), NAN, NAN, NAN);
        assertValues(slope(x -> x.norm(0.5), 0, 4, 4), 0, 2, 2);
        assertValues(slope(x -> x.norm(3), 0, 0), 0, 0);
        assertValues(slope(x -> x.norm(3), 0, -2), 0, -1);
    }

    @Test
    void runningSumsOfGradientsAreTakenInTheDTypeOfTheInput() {
        Tensor leaf = floats(0, 0, 0).requiresGrad(true);
        leaf.cumsum(0, DType.BFLOAT16)
                .backward(doubles(0.5, -0.70703125, -2.484375).bfloat16());
        assertIs(DType.FLOAT32, Shape.of(3), leaf.grad());
        assertValues(leaf.grad(), -2.69140625, -3.19140625, -2.484375);
    }

    @Test
    void aScatteredProductIsDividedByItsFactors() {
        Tensor base = doubles(-INF, NAN, 0, 2).requiresGrad(true);
        Tensor source = doubles(0, 3, 0, 5).requiresGrad(true);
        base.scatterReduce(0, longs(0, 2, 3, 3), source, ScatterReduce.PROD, true)
                .sum()
                .backward();
        assertValues(base.grad(), NAN, NAN, 3, 0);
        assertValues(source.grad(), -INF, 0, 10, 0);
    }

    @Test
    void aMeanInHalvesIsTakenInFloat32() {
        Tensor mean = longs(1 << 20, 2, -(1 << 20)).mean(0, true, DType.FLOAT16);
        assertIs(DType.FLOAT16, Shape.of(1), mean);
        assertEquals(2 / 3.0, mean.itemDouble(), 4e-4);
        assertRefused(
                "mean: needs a floating dtype, got int64[1]; cast it first, as with to(DType.FLOAT32)",
                () -> longs(1).mean(new int[0], false, DType.INT64));
    }

    @Test
    void zeroTimesWhatIsNotFiniteIsTheSlopeOfAProduct() {
        assertValues(slope(Tensor::prod, 0, 300, NAN), NAN, NAN, 0);
        assertValues(slope(Tensor::prod, 0, 3, -INF), -INF, NAN, 0);
        assertValues(slope(Tensor::prod, 0, 3, 0, NAN), 0, 0, 0, 0);
        assertValues(slope(Tensor::prod, 2, 0, 3), 0, 6, 0);
    }

    @Test
    void gradientOfEqualBoundsFlowsToTheLowerOne() {
        Tensor min = doubles(1, 0, 2).requiresGrad(true);
        Tensor max = doubles(1, 1, 1).requiresGrad(true);
        doubles(0, -1, 3).clamp(min, max).sum().backward();
        assertValues(min.grad(), 1, 1, 0);
        assertValues(max.grad(), 0, 0, 1);
    }

    @Test
    void anAngleHasNoSlope() {
        assertValues(slope(x -> x.angle().mul(INF), NAN, -1, 0, -0.5), 0, 0, 0, 0);
        assertValues(doubles(NAN, -0.5, 0.5, -0.0).angle(), NAN, Math.PI, 0, 0);
    }

    @Test
    void infinityTimesTheSlopeOfAReplacedElementIsNan() {
        assertValues(slope(x -> x.nanToNum().mul(INF), NAN, 1, INF), NAN, INF, NAN);
        assertValues(slope(Tensor::nanToNum, NAN, 1, -INF), 0, 1, 0);
    }

    @Test
    void anInfiniteGradientOfAHuberLossStaysInfinite() {
        assertValues(
                slope(
                        x -> Functional.huberLoss(x, x.zerosLike(), 1, Reduction.NONE)
                                .mul(INF),
                        0.5,
                        -1,
                        2,
                        0),
                INF,
                -INF,
                INF,
                NAN);
        assertValues(
                slope(
                        x -> Functional.smoothL1Loss(x, x.zerosLike(), 1, Reduction.NONE)
                                .mul(INF),
                        -0.5,
                        1),
                -INF,
                INF);
    }

    @Test
    void halvesThatAreScatteredToOnePlaceAreAddedInFloat32() {
        Tensor base = doubles(-300).float16();
        Tensor added = doubles(-0.1534423828125, 300).float16();
        assertEquals(
                -0.1534423828125,
                base.scatterAdd(0, longs(0, 0), added).select(0, 0).itemDouble());
        assertEquals(
                -0.1534423828125 / 3,
                base.scatterReduce(0, longs(0, 0), added, ScatterReduce.MEAN, true)
                        .select(0, 0)
                        .itemDouble(),
                3e-5);
        Tensor leaf = doubles(1, 2).float16().requiresGrad(true);
        leaf.gather(0, longs(0, 0, 0))
                .backward(doubles(-300, -0.1534423828125, 300).float16());
        assertEquals(-0.1534423828125, leaf.grad().select(0, 0).itemDouble());
        assertIs(DType.FLOAT16, Shape.of(2), leaf.grad());
    }

    @Test
    void anInfiniteGradientStaysInfiniteWhereTheSlopeIsNot0() {
        assertInfinite(Tensor::logsigmoid, 1, -2, 0.25);
        assertInfinite(Tensor::mish, 1, -2, 4);
        assertInfinite(Tensor::sinc, -1, 1, 0.3);
        assertInfinite(x -> x.lerp(x.detach().mul(2), 0.25), 1, 2, -3);
        assertInfinite(x -> x.var(0), 1, 1, 2);
        assertInfinite(x -> x.std(0), 1, 1, 2);
    }

    @Test
    void oneBoundOfNanMakesTheValueNanAndStopsTheGradient() {
        Tensor x = doubles(0, 2).requiresGrad(true);
        Tensor bounded = x.clamp(NAN, null);
        assertValues(bounded, NAN, NAN);
        bounded.sum().backward();
        assertValues(x.grad(), 0, 0);
    }

    @Test
    void gradientsOfACrossProductWithItselfCancel() {
        Tensor vector =
                doubles(1.1640625, 1.5390625, -1.1953125).to(DType.BFLOAT16).requiresGrad(true);
        vector.cross(vector).backward(doubles(-0.75, 1.25, -0.2578125).to(DType.BFLOAT16));
        assertValues(vector.grad().to(DType.FLOAT64), 0, 0, 0);
    }

    @Test
    void celuOfAlphaZeroIsRefused() {
        assertThrows(OpException.class, () -> doubles(1).celu(0));
    }

    @Test
    void slopeOfExponentialLinearUnitsIsTheExponential() {
        Tensor half = doubles(-2.05078125).to(DType.FLOAT16).requiresGrad(true);
        half.celu(1).backward(doubles(0.93212890625).to(DType.FLOAT16));
        assertValues(half.grad().to(DType.FLOAT64), 0.11993408203125);
        Tensor far = doubles(-30).float32().requiresGrad(true);
        far.elu().sum().backward();
        assertEquals(Math.exp(-30), far.grad().toDoubleArray()[0], 1e-6 * Math.exp(-30));
    }

    @Test
    void thePowerOf0PassesOnThatItsGradientIsNan() {
        Tensor exponent = doubles(0, 1, 2).requiresGrad(true);
        doubles(0, 0, 1).pow(exponent).backward(doubles(NAN, 1, 1));
        assertValues(exponent.grad(), NAN, 0, 0);
    }

    @Test
    void theGradientOfAProductOfOneElementIsWhatArrives() {
        Tensor infinite = machine.tensor(HostTensor.scalar(INF)).requiresGrad(true);
        infinite.prod(-1, true).backward();
        assertValues(infinite.grad(), 1);
    }

    @Test
    void theSlopeOfALogitIsInfiniteAtEitherZero() {
        assertValues(slope(Tensor::logit, -0.0, 0, 1, 0.5, 2), INF, INF, INF, 4, NAN);
    }

    @Test
    void halvesAreScaledByATensorOfOneElementInFloat32() {
        for (DType dtype : List.of(DType.FLOAT16, DType.BFLOAT16)) {
            Tensor x = doubles(0, 0.5).to(dtype);
            Tensor large = longs(Long.MAX_VALUE).sum();
            assertValues(x.mul(large).select(0, 0), 0);
            assertIs(dtype, Shape.of(2), x.mul(large));
            assertValues(x.div(large).select(0, 0), 0);
        }
        Tensor scale = doubles(100_000).sum();
        Tensor x = doubles(0.5, 0.25).float16();
        assertValues(x.mul(scale), 50_000, 25_000);
        assertValues(scale.mul(x), INF, INF);
        assertValues(doubles(50_000).float16().div(scale), 0.5);
        assertValues(machine.scalar(0).float16().mul(longs(Integer.MIN_VALUE)), -0.0);
        x.mul_(scale);
        assertValues(x, 50_000, 25_000);
        Tensor leaf = doubles(0.5).float16().requiresGrad(true);
        leaf.mul(scale).sum().div(scale).backward();
        assertValues(leaf.grad(), 1);
    }

    @Test
    void besideAnInfinityTheSlopesOfALogarithmOfSumsAreZero() {
        Tensor x = doubles(INF, 300, -INF, 1).float32().requiresGrad(true);
        Tensor sum = x.logsumexp(0);
        sum.backward();
        assertValues(sum, INF);
        assertValues(x.grad(), NAN, 0, 0, 0);
        Tensor nothing = doubles(-INF, -INF).logsumexp(0);
        assertValues(nothing, -INF);
    }

    /** With the sign of the slope at the last element. */
    private static void assertInfinite(UnaryOperator<Tensor> op, double sign, double... x) {
        double[] slopes = slope(y -> op.apply(y).mul(INF), x).toDoubleArray();
        assertEquals(sign * INF, slopes[slopes.length - 1]);
        for (double slope : slopes) {
            assertTrue(Double.isInfinite(slope), () -> "got " + slope);
        }
    }
}
