package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Reduction;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LossesTest extends OpsOnAMachine {
    private static final double LOG_2 = Math.log(2);

    /** Two rows of logits whose softmax is 1/4, 3/4 and 1/2, 1/2. */
    private static Tensor logits() {
        return doubles(0, Math.log(3), 7, 7).reshape(2, 2);
    }

    @Test
    @Tag("quick")
    void crossEntropyOfClasses() {
        double first = -Math.log(0.25);
        assertValues(Functional.crossEntropy(logits(), longs(0, 1)), (first + LOG_2) / 2);
        assertValues(Functional.crossEntropy(logits(), longs(0, 1), Reduction.NONE), first, LOG_2);
        assertValues(Functional.crossEntropy(logits(), longs(0, -100)), first);
        assertValues(Functional.crossEntropy(logits(), longs(-100, -100)), NAN);
        Tensor weight = doubles(3, 1);
        assertValues(
                Functional.crossEntropy(logits(), longs(0, 1), weight, -100, Reduction.MEAN, 0),
                (3 * first + LOG_2) / 4);
        assertValues(
                Functional.crossEntropy(logits(), longs(0, 1), null, 1, Reduction.SUM, 0.5),
                first / 2 + (first - Math.log(0.75)) / 4);
        assertValues(Functional.crossEntropy(doubles(0, Math.log(3)), machine.scalar(1)), -Math.log(0.75));
    }

    @Test
    void crossEntropyOfProbabilities() {
        Tensor target = doubles(1, 0, 0.5, 0.5).reshape(2, 2);
        assertValues(Functional.crossEntropy(logits(), target, Reduction.NONE), -Math.log(0.25), LOG_2);
        assertValues(Functional.crossEntropy(logits(), target), (-Math.log(0.25) + LOG_2) / 2);
    }

    @Test
    void crossEntropyOfImages() {
        Tensor input = machine.zeros(2, 4, 3, 3);
        Tensor target = machine.zeros(DType.INT64, 2, 3, 3);
        assertIs(DType.FLOAT32, Shape.of(2, 3, 3), Functional.crossEntropy(input, target, Reduction.NONE));
        assertValues(Functional.crossEntropy(input, target), Math.log(4));
    }

    @Test
    @Tag("quick")
    void targetsMustFit() {
        assertRefused(
                "cross_entropy: the target does not fit the input, got int64[3] and float64[2,2]",
                () -> Functional.crossEntropy(logits(), longs(0, 1, 0)));
        assertRefused(
                "nll_loss: one weight for each class is needed, got [3] and 2",
                () -> Functional.nllLoss(logits(), longs(0, 1), doubles(1, 1, 1), -100, Reduction.MEAN));
        assertRefused(
                "binary_cross_entropy: shapes differ, got [1] and [2]",
                () -> Functional.binaryCrossEntropy(doubles(0.5), doubles(0, 1)));
    }

    @Test
    void binaryLossesAreBoundedAndStable() {
        assertValues(
                Functional.binaryCrossEntropy(doubles(0, 1, 0.5), doubles(1, 1, 0), null, Reduction.NONE),
                100,
                0,
                LOG_2);
        assertValues(slope(x -> Functional.binaryCrossEntropy(x, doubles(1, 1)), 0.5, 1), -1, 0);
        assertValues(
                Functional.binaryCrossEntropyWithLogits(
                        doubles(0, 1000, -1000), doubles(1, 1, 1), null, doubles(2), Reduction.NONE),
                2 * LOG_2,
                0,
                2000);
        assertValues(slope(x -> Functional.binaryCrossEntropyWithLogits(x, doubles(1, 0)), 0, 1000), -0.25, 0.5);
    }

    @Test
    void distances() {
        Tensor x = doubles(0, 0);
        Tensor y = doubles(0.5, 3);
        assertValues(Functional.mseLoss(x, y), 9.25 / 2);
        assertValues(Functional.l1Loss(x, y, Reduction.SUM), 3.5);
        assertValues(Functional.smoothL1Loss(x, y, 2, Reduction.NONE), 0.0625, 2);
        assertValues(Functional.huberLoss(x, y, 2, Reduction.NONE), 0.125, 4);
        assertValues(Functional.pairwiseDistance(doubles(0, 0), doubles(3, 4), 2, 0, false), 5);
        assertValues(Functional.cosineSimilarity(doubles(1, 0), doubles(1, 1), 0), Math.sqrt(0.5));
        assertValues(Functional.normalize(doubles(3, 4), 0), 0.6, 0.8);
        assertRefused(
                "huber_loss: delta must be positive, got 0.0", () -> Functional.huberLoss(x, y, 0, Reduction.MEAN));
    }

    @Test
    void marginsAndLikelihoods() {
        Tensor sign = doubles(1, -1);
        assertValues(Functional.hingeEmbeddingLoss(doubles(0.5, 0.25), sign, 1, Reduction.NONE), 0.5, 0.75);
        assertValues(Functional.marginRankingLoss(doubles(1, 1), doubles(2, 2), sign, 0.5, Reduction.NONE), 1.5, 0);
        assertValues(Functional.softMarginLoss(doubles(0, 1000), sign, Reduction.NONE), LOG_2, 1000);
        assertValues(Functional.klDiv(doubles(LOG_2, 0), doubles(0.5, 0), false, Reduction.NONE), -LOG_2, 0);
        assertValues(
                Functional.gaussianNllLoss(doubles(1), doubles(3), doubles(4), false, 1e-6, Reduction.MEAN),
                (Math.log(4) + 1) / 2);
        assertValues(
                Functional.poissonNllLoss(doubles(0, 0), doubles(3, 1), true, true, 1e-8, Reduction.NONE),
                1 + 3 * Math.log(3) - 3 + Math.log(6 * Math.PI) / 2,
                1);
        assertValues(
                Functional.tripletMarginLoss(doubles(0), doubles(1), doubles(3), 1, 2, 0, false, Reduction.MEAN), 0);
        Tensor rows = floats(1, 0, 1, 0).reshape(2, 2);
        assertValues(Functional.cosineEmbeddingLoss(rows, rows, sign, 0.25, Reduction.NONE), 0, 0.75);
    }

    @Test
    void layers() {
        Tensor x = doubles(1, 2, 3).reshape(1, 3);
        Tensor weight = doubles(1, 0, 0, 0, 1, 1).reshape(2, 3);
        assertValues(Functional.linear(x, weight, doubles(10, 20)), 11, 25);
        assertRefused(
                "linear: the weight does not fit the input, got [2, 3] and [2, 4]",
                () -> Functional.linear(machine.zeros(2, 4), weight, null));
        assertValues(Functional.layerNorm(doubles(1, 3), new long[] {2}, doubles(2, 2), doubles(1, 1), 0), -1, 3);
        assertRefused(
                "layer_norm: the input must end in the normalized shape, got [2] and [3]",
                () -> Functional.layerNorm(doubles(1, 3), new long[] {3}, null, null, 0));
        assertValues(Functional.embedding(longs(1, 0), weight), 0, 1, 1, 1, 0, 0);
        assertValues(Functional.oneHot(longs(1, 0), 3), 0, 1, 0, 1, 0, 0);
        assertEquals(Shape.of(2, 2), Functional.oneHot(longs(1, 0)).shape());
    }

    @Test
    void dropoutKeepsTheMean() {
        Tensor ones = machine.ones(10_000);
        Tensor dropped = Functional.dropout(ones, 0.25, true);
        assertSame(ones, Functional.dropout(ones, 0.25, false));
        assertEquals(0.75, dropped.ne(0).float32().mean().itemDouble(), 0.02);
        assertValues(dropped.amax(), 4 / 3.0);
        assertValues(Functional.dropout(doubles(1, 2), 1, true), 0, 0);
        assertRefused(
                "dropout: the probability must be between 0 and 1, got 1.5", () -> Functional.dropout(ones, 1.5, true));
    }
}
