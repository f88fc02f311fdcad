package dev.outpost.system.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.examples.ConvolutionalDigits;
import dev.outpost.examples.DigitsTraining;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DigitsTrainingTest {
    private static final int EPOCHS = 30;
    private static final double REQUIRED_ACCURACY = 0.97;

    @Test
    void twoEpochsLearnAndAreTheSameAgain() {
        List<DigitsTraining.Epoch> first = train(2);
        assertEquals(2, first.size());
        assertTrue(first.getLast().loss() < first.getFirst().loss());
        assertTrue(first.getLast().accuracy() > 0.8, first.toString());
        assertEquals(first, train(2));
    }

    @Test
    void convolutionsLearnAndAreTheSameAgain() {
        double[] losses = convolve();
        assertTrue(losses[0] > 2.2, "a loss of ln 10 at first, got " + losses[0]);
        double last = Arrays.stream(losses, 90, 100).average().orElseThrow();
        assertTrue(last < 0.5, Arrays.toString(losses));
        assertArrayEquals(losses, convolve());
    }

    private static double[] convolve() {
        try (var machine = RemoteMachine.of("mock", "A100")) {
            return ConvolutionalDigits.train(machine, 100).toDoubleArray();
        }
    }

    @Test
    void aSeedReadsTheDigits() {
        double accuracy = accuracy(0);
        assertTrue(accuracy >= REQUIRED_ACCURACY, "accuracy " + accuracy);
    }

    @Test
    @Tag("full")
    void fiveSeedsReadTheDigits() {
        double[] accuracies =
                LongStream.range(0, 5).mapToDouble(DigitsTrainingTest::accuracy).toArray();
        double mean = Arrays.stream(accuracies).average().orElseThrow();
        assertTrue(mean >= REQUIRED_ACCURACY, "accuracies " + Arrays.toString(accuracies));
    }

    private static List<DigitsTraining.Epoch> train(int epochs) {
        List<DigitsTraining.Epoch> seen = new ArrayList<>();
        try (var machine = RemoteMachine.of("mock", "A100")) {
            new DigitsTraining(machine, 0).run(epochs, seen::add);
        }
        return seen;
    }

    private static double accuracy(long seed) {
        try (var machine = RemoteMachine.of("mock", "A100")) {
            return new DigitsTraining(machine, seed).run(EPOCHS, epoch -> {});
        }
    }
}
