package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.outpost.Tensor;
import dev.outpost.ops.MinAndMax;
import dev.outpost.ops.ValuesAndIndices;
import dev.outpost.ops.VarianceAndMean;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReduceOpsTest extends OpsOnAMachine {
    private static Tensor matrix() {
        return doubles(1, 5, 3, 4, 2, 6).reshape(2, 3);
    }

    @Test
    @Tag("quick")
    void sums() {
        assertValues(matrix().sum(), 21);
        assertValues(matrix().sum(0), 5, 7, 9);
        assertValues(matrix().sum(-1), 9, 12);
        assertIs(DType.FLOAT64, Shape.of(1, 3), matrix().sum(0, true));
        assertIs(DType.FLOAT64, Shape.SCALAR, matrix().sum(0, 1));
        assertIs(DType.INT64, Shape.SCALAR, longs(1, 2).int32().sum());
        assertIs(DType.INT32, Shape.SCALAR, longs(1, 2).sum(DType.INT32));
        assertValues(bools(true, true, false).sum(), 2);
        assertValues(doubles().sum(), 0);
        assertValues(machine.scalar(3.0).sum(-1), 3);
    }

    @Test
    @Tag("quick")
    void dimensionsAreChecked() {
        assertRefused("sum: dimension 1 appears twice, got [1, -1]", () -> matrix().sum(1, -1));
        assertRefused("mean: dimension out of range, expected -2 to 1, got 2", () -> matrix().mean(2));
        assertRefused("argmax: dimension out of range, expected -2 to 1, got -3", () -> matrix().argmax(-3));
        assertRefused(
                "softmax: dimension out of range, expected -1 to 0, got 1",
                () -> machine.scalar(1.0).softmax(1));
    }

    /** Tests the equivalent of PyTorch's {@code dim, keepdim}: one dimension or several, which are kept or not. */
    @Test
    void dimensionsComeBeforeKeepDim() {
        Tensor x = matrix();
        int[] both = {0, 1};
        Shape row = Shape.of(1, 3);
        for (Tensor kept : List.of(
                x.sum(0, true),
                x.nansum(0, true),
                x.prod(0, true),
                x.amax(0, true),
                x.amin(0, true),
                x.mean(0, true),
                x.nanmean(0, true),
                x.logsumexp(0, true),
                x.var(0, 1, true),
                x.std(0, 1, true),
                x.norm(2, 0, true),
                x.vectorNorm(2, 0, true),
                x.argmax(0, true).float64(),
                x.median(0, true).values(),
                x.mode(0, true).values(),
                x.quantile(0.5, 0, true),
                x.aminmax(0, true).max(),
                x.varMean(0, 1, true).mean(),
                x.stdMean(0, 1, true).mean())) {
            assertIs(DType.FLOAT64, row, kept);
        }
        for (Tensor one : List.of(
                x.sum(both, false),
                x.nansum(both, false),
                x.prod(both, false),
                x.amax(both, false),
                x.amin(both, false),
                x.mean(both, false),
                x.nanmean(both, false),
                x.logsumexp(both, false),
                x.var(both, 0, false),
                x.std(both, 0, false),
                x.norm(1, both, false),
                x.vectorNorm(1, both, false))) {
            assertIs(DType.FLOAT64, Shape.SCALAR, one);
        }
        assertIs(DType.BOOL, Shape.of(2, 1), x.all(1, true));
        assertIs(DType.BOOL, Shape.of(1, 1), x.any(both, true));
        assertIs(DType.FLOAT32, row, x.sum(0, true, DType.FLOAT32));
        assertIs(DType.INT32, Shape.SCALAR, x.prod(both, false, DType.INT32));
        assertIs(DType.FLOAT16, Shape.of(2, 1), x.mean(1, true, DType.FLOAT16));
        assertValues(x.median(1).values(), 3, 4);
        assertValues(x.kthvalue(3, 1).values(), 5, 6);
        assertValues(x.norm(1, 1), 9, 12);
    }

    @Test
    void productsAndCounts() {
        assertValues(matrix().prod(1), 15, 48);
        assertValues(longs(2, 3).prod(), 6);
        assertIs(DType.BOOL, Shape.SCALAR, bools(true, false).prod(new int[0], false, DType.BOOL));
        assertValues(doubles(0, 1, NAN).countNonzero(), 2);
        assertValues(doubles(1, NAN, 3).nansum(), 4);
        assertValues(doubles(1, NAN, 3).nanmean(), 2);
    }

    @Test
    void means() {
        assertValues(matrix().mean(), 3.5);
        assertValues(matrix().mean(1, true), 3, 4);
        assertValues(doubles().mean(), NAN);
        assertValues(machine.full(60000, DType.FLOAT16, 10).mean(), 60000);
        assertRefused(
                "mean: needs a floating dtype, got int64[2]; cast it first, as with to(DType.FLOAT32)",
                () -> longs(1, 2).mean());
    }

    @Test
    void extremes() {
        assertValues(matrix().amax(0), 4, 5, 6);
        assertValues(matrix().min(), 1);
        assertValues(doubles(1, NAN).max(), NAN);
        ValuesAndIndices max = matrix().max(1);
        assertValues(max.values(), 5, 6);
        assertValues(max.indices(), 1, 2);
        ValuesAndIndices min = matrix().min(0, true);
        assertIs(DType.INT64, Shape.of(1, 3), min.indices());
        assertValues(min.indices(), 0, 1, 0);
        MinAndMax both = matrix().aminmax(1, false);
        assertValues(both.min(), 1, 2);
        assertValues(both.max(), 5, 6);
        assertRefused(
                "amax: nothing to choose from in dimension 0 of size 0, got [0]",
                () -> doubles().amax());
    }

    @Test
    void positionsOfExtremes() {
        assertValues(matrix().argmax(), 5);
        assertValues(matrix().t().argmax(), 5);
        assertValues(matrix().argmin(0), 0, 1, 0);
        assertValues(doubles(1, NAN, 3).argmax(), 1);
        assertValues(doubles(2, 2).argmax(), 0);
        assertValues(machine.scalar(3.0).argmax(0), 0);
        assertIs(DType.INT64, Shape.of(2, 1), matrix().argmax(1, true));
    }

    @Test
    void gradientsOfExtremesGoToWhatWasChosen() {
        assertValues(slope(x -> x.max(0).values(), 2, 3, 3), 0, 1, 0);
        assertValues(slope(Tensor::amax, 2, 3, 3), 0, 0.5, 0.5);
    }

    @Test
    void testsOfAllElements() {
        assertTruth(matrix().gt(1).all(), false);
        assertTruth(matrix().gt(1).all(1), false, true);
        assertTruth(doubles(0, NAN).any(), true);
        assertTruth(doubles().all(), true);
        assertTruth(doubles().any(), false);
        assertIs(DType.BOOL, Shape.of(1, 0), machine.zeros(3, 0).any(0, true));
    }

    @Test
    void variances() {
        assertValues(doubles(1, 2, 3, 4).var(), 5 / 3.0);
        assertValues(doubles(1, 2, 3, 4).var(new int[0], 0, false), 1.25);
        assertValues(doubles(1, 2, 3, 4).std(), Math.sqrt(5 / 3.0));
        assertValues(doubles(1).var(), NAN);
        VarianceAndMean both = matrix().varMean(1, 1, true);
        assertIs(DType.FLOAT64, Shape.of(2, 1), both.mean());
        assertValues(both.variance(), 4, 4);
        assertValues(slope(x -> x.std(new int[0], 0, false), 2, 2), 0, 0);
        assertRefused(
                "var: needs a floating dtype, got int64[2]; cast it first, as with to(DType.FLOAT32)",
                () -> longs(1, 2).var());
    }

    @Test
    void norms() {
        Tensor x = doubles(3, -4);
        assertValues(x.norm(), 5);
        assertValues(x.norm(1), 7);
        assertValues(x.norm(INF), 4);
        assertValues(x.norm(-INF), 3);
        assertValues(x.norm(0), 2);
        assertValues(x.norm(3), Math.cbrt(91));
        assertValues(x.vectorNorm(2, 0, true), 5);
        assertValues(slope(Tensor::norm, 0, 0), 0, 0);
        assertValues(slope(y -> y.norm(3), 0, 0), 0, 0);
        assertValues(slope(y -> y.norm(3), 0, 2), 0, 1);
    }

    @Test
    void logSumExp() {
        assertValues(doubles(1000, 1000).logsumexp(), 1000 + Math.log(2));
        assertValues(doubles(-INF, -INF).logsumexp(0), -INF);
        assertValues(doubles(INF, 1).logsumexp(0), INF);
        assertValues(doubles().logsumexp(0), -INF);
        assertValues(slope(Tensor::logsumexp, 0, Math.log(3)), 0.25, 0.75);
        assertEquals(DType.FLOAT32, longs(1).logsumexp(0).dtype());
    }

    @Test
    void runningFolds() {
        assertValues(matrix().cumsum(1), 1, 6, 9, 4, 6, 12);
        assertValues(matrix().cumprod(0), 1, 5, 3, 4, 10, 18);
        assertEquals(DType.INT64, bools(true).cumsum(0).dtype());
        assertValues(machine.scalar(3.0).cumsum(0), 3);
        assertValues(doubles(1000, 1000, -INF).logcumsumexp(0), 1000, 1000 + Math.log(2), 1000 + Math.log(2));
        assertValues(doubles(-1000, 1000).logcumsumexp(0), -1000, 1000);
        assertValues(slope(x -> x.logcumsumexp(0), 0, Math.log(3)), 1.25, 0.75);
    }

    @Test
    void runningExtremesAreTheLastOfEquals() {
        ValuesAndIndices max = doubles(1, 3, 2, 3, NAN, 5).cummax(0);
        assertValues(max.values(), 1, 3, 3, 3, NAN, NAN);
        assertValues(max.indices(), 0, 1, 1, 3, 4, 4);
        ValuesAndIndices min = doubles(2, 1, 1, 4).cummin(0);
        assertValues(min.indices(), 0, 1, 2, 2);
        assertValues(slope(x -> x.cummax(0).values(), 1, 3, 2), 1, 2, 0);
        assertTruth(bools(false, true, false).cummax(0).values(), false, true, true);
    }

    @Test
    @Tag("quick")
    void sumsBackToAShape() {
        Tensor x = matrix();
        assertSame(x, x.sumToSize(2, 3));
        assertValues(x.sumToSize(3), 5, 7, 9);
        assertIs(DType.FLOAT64, Shape.of(2, 1), x.sumToSize(2, 1));
        assertIs(DType.FLOAT64, Shape.SCALAR, x.sumToSize());
        assertRefused(
                "sum_to_size: the shape does not broadcast to the tensor's, got [4] and [2, 3]", () -> x.sumToSize(4));
    }
}
