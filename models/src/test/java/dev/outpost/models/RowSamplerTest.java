package dev.outpost.models;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Tests that each token is drawn with the probability that the logits processors of transformers give it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RowSamplerTest {
    private static final float[] SCORES = {0.5f, 2, -0.5f, 1.5f, -3, 1, 0, -1};
    private static final int DRAWS = 200;
    /** A token's draws are an interval, of which the grid can miss a place at each end. */
    private static final double TOLERANCE = 2.0 / DRAWS;

    // By TopKLogitsWarper, TopPLogitsWarper, MinPLogitsWarper and TypicalLogitsWarper of transformers, and all of them
    // in this order.
    private static final double[] THREE = {0, 0.50648, 0, 0.30720, 0, 0.18632, 0, 0};
    private static final double[] FOUR = {0.10154, 0.45505, 0, 0.27600, 0, 0.16741, 0, 0};
    private static final double[] ONE = {0, 0, 0, 1, 0, 0, 0, 0};
    private static final double[] ALL = {0, 0.43469, 0, 0.32393, 0, 0.24139, 0, 0};

    private RemoteMachine machine;

    @BeforeAll
    void start() {
        machine = RemoteMachine.of("mock", "any");
    }

    @AfterAll
    void stop() {
        machine.close();
    }

    /** Returns the share of the draws that each token gets. The draws are evenly spaced between 0 and 1. */
    private double[] shares(Sampling rule) {
        List<SamplingMetadata> choices = IntStream.range(0, DRAWS)
                .mapToObj(draw -> new SamplingMetadata(rule, (draw + 0.5f) / DRAWS, false, false, 1))
                .toList();
        double[] shares = new double[SCORES.length];
        try (RowSampler sampler = new RowSampler(machine, 1, SCORES.length)) {
            RowSampler.Kind kind = RowSampler.Kind.of(choices);
            Tensor scores = machine.tensor(SCORES, 1, SCORES.length).repeat(DRAWS, 1);
            Tensor slots = machine.zeros(DType.INT64, DRAWS);
            long[] tokens = sampler.next(kind, scores, slots, sampler.inputs(kind, choices, DRAWS))
                    .toLongArray();
            for (long token : tokens) {
                shares[(int) token] += 1.0 / DRAWS;
            }
        }
        return shares;
    }

    @Test
    void topKKeepsTheLikeliest() {
        assertArrayEquals(THREE, shares(Sampling.temperature(1).topK(3)), TOLERANCE);
    }

    @Test
    void topPKeepsTheLeastThatHaveTheMass() {
        assertArrayEquals(FOUR, shares(Sampling.temperature(1).topP(0.8)), TOLERANCE);
    }

    @Test
    void minPKeepsThoseNearTheLikeliest() {
        assertArrayEquals(THREE, shares(Sampling.temperature(1).minP(0.3)), TOLERANCE);
    }

    @Test
    void typicalPKeepsThoseOfTheExpectedInformation() {
        assertArrayEquals(THREE, shares(Sampling.temperature(1).typicalP(0.6)), TOLERANCE);
        assertArrayEquals(ONE, shares(Sampling.temperature(1).typicalP(0.2)), TOLERANCE);
    }

    @Test
    void cutsAreMadeOneBehindTheOther() {
        Sampling all = Sampling.temperature(1.7).topK(6).topP(0.9).minP(0.25).typicalP(0.7);
        assertArrayEquals(ALL, shares(all), TOLERANCE);
    }

    @Test
    void withoutATemperatureTheBestIsTaken() {
        assertEquals(1, shares(Sampling.greedy())[1], 1e-9);
    }
}
