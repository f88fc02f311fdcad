package dev.outpost.system.nn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.BCELoss;
import dev.outpost.nn.BCEWithLogitsLoss;
import dev.outpost.nn.CosineEmbeddingLoss;
import dev.outpost.nn.CrossEntropyLoss;
import dev.outpost.nn.GaussianNLLLoss;
import dev.outpost.nn.HingeEmbeddingLoss;
import dev.outpost.nn.KLDivLoss;
import dev.outpost.nn.MSELoss;
import dev.outpost.nn.MarginRankingLoss;
import dev.outpost.nn.MultiLabelMarginLoss;
import dev.outpost.nn.MultiLabelSoftMarginLoss;
import dev.outpost.nn.MultiMarginLoss;
import dev.outpost.nn.NLLLoss;
import dev.outpost.nn.PoissonNLLLoss;
import dev.outpost.nn.Reduction;
import dev.outpost.nn.SoftMarginLoss;
import dev.outpost.nn.TripletMarginLoss;
import dev.outpost.system.Closeness;
import dev.outpost.types.OpException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests losses as classes, with all of their settings. The expected numbers are those of PyTorch 2.15 for the same inputs. */
class LossClassesTest {
    private static RemoteMachine machine;

    private final Tensor logits = machine.tensor(new double[] {1, 2, 3, 4, -1, 0.5}, 2, 3);
    private final Tensor classes = machine.tensor(new long[] {2, 0});
    private final Tensor weight = doubles(0.5, 1, 2);
    private final Tensor scores = doubles(0.3, -1.2, 2);
    private final Tensor signs = doubles(1, -1, 1);
    private final Tensor counts = doubles(0, 1, 3);
    private final Tensor binary = doubles(1, 0, 1);
    private final Tensor probabilities = machine.tensor(new double[] {0.2, 0.3, 0.5, 0.1, 0.1, 0.8}, 2, 3);

    @BeforeAll
    static void start() {
        machine = RemoteMachine.of("mock", "A100");
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    private static Tensor doubles(double... values) {
        return machine.tensor(values);
    }

    private static void assertLoss(Tensor actual, double... expected) {
        Closeness.assertClose(expected, actual);
    }

    @Test
    void lossesOfClasses() {
        Reduction mean = Reduction.MEAN;
        assertLoss(new CrossEntropyLoss(weight, -100, mean, 0.1).forward(logits, classes), 0.507385674168975);
        assertLoss(new CrossEntropyLoss(weight, 2, Reduction.SUM, 0).forward(logits, classes), 0.0181347825623896);
        assertLoss(new NLLLoss(weight, 0, Reduction.NONE).forward(logits.logSoftmax(1), classes), 0.815211928888761, 0);
        assertLoss(new MultiMarginLoss(2, 1.5, weight, mean).forward(logits, classes), 0.0833333333333333);
        Tensor labels = machine.tensor(new long[] {2, 0, -1, 1, -1, 0}, 2, 3);
        assertLoss(new MultiLabelMarginLoss().forward(logits, labels), 1.75);
        Tensor manyHot = machine.tensor(new double[] {1, 0, 1, 0, 0, 1}, 2, 3);
        assertLoss(new MultiLabelSoftMarginLoss(weight, mean).forward(logits, manyHot), 0.941870696297818);
    }

    @Test
    void lossesOfTwoClasses() {
        Tensor weights = doubles(1, 2, 3);
        assertLoss(new BCELoss(weights, Reduction.MEAN).forward(scores.sigmoid(), binary), 0.487234737424502);
        assertLoss(
                new BCEWithLogitsLoss(weights, Reduction.SUM, doubles(2, 2, 0.5)).forward(scores, binary),
                1.82566744017758);
        assertLoss(new HingeEmbeddingLoss(0.5, Reduction.MEAN).forward(scores, signs), 1.33333333333333333);
        assertLoss(new SoftMarginLoss().forward(scores, signs), 0.314855240949844);
    }

    @Test
    void lossesOfDistributions() {
        Tensor logs = logits.logSoftmax(1);
        assertLoss(new KLDivLoss(Reduction.BATCHMEAN).forward(logs, probabilities), 1.3875953279272);
        assertLoss(new KLDivLoss(true, Reduction.BATCHMEAN).forward(logs, probabilities.log()), 1.3875953279272);
        assertLoss(
                new GaussianNLLLoss(true, 1e-6, Reduction.MEAN).forward(scores, counts, doubles(0.5, 1, 2)),
                1.83893853320467);
        assertLoss(
                new PoissonNLLLoss(false, true, 1e-3, Reduction.MEAN).forward(scores.abs(), counts), 0.999995277880141);
        assertLoss(new PoissonNLLLoss().forward(scores, counts), 1.41336970613962);
    }

    @Test
    void lossesOfSeveralInputs() {
        assertLoss(new MarginRankingLoss(0.5, Reduction.MEAN).forward(scores, counts, signs), 0.566666666666666667);
        assertLoss(
                new CosineEmbeddingLoss(0.2, Reduction.NONE).forward(logits, probabilities, doubles(1, -1)),
                0.00282353504860977,
                0.00745863808788411);
        assertLoss(
                new TripletMarginLoss(2, 1, 1e-6, true, Reduction.MEAN).forward(logits, probabilities, logits.flip(0)),
                2.100002);
    }

    @Test
    void weightsAreBuffersThatMoveAndAreSaved() {
        BCEWithLogitsLoss loss = new BCEWithLogitsLoss(doubles(1), Reduction.MEAN, doubles(2));
        assertEquals(
                List.of("weight", "pos_weight"), List.copyOf(loss.stateDict().keySet()));
        assertEquals(List.of(), new CrossEntropyLoss().buffers());
        try (var other = RemoteMachine.of("mock", "A100")) {
            loss.to(other);
            assertLoss(loss.forward(other.tensor(new double[] {0}), other.tensor(new double[] {1})), 2 * Math.log(2));
        }
    }

    @Test
    void aMissingReductionIsRefusedWhereTheLossIsMade() {
        OpException refused = assertThrows(OpException.class, () -> new MSELoss(null));
        assertEquals("the reduction must not be null", refused.getMessage().replaceFirst("^.*: ", ""));
    }
}
