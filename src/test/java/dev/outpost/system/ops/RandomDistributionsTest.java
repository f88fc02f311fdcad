package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.Generator;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/**
 * Compares random numbers of fixed seeds with their distributions: continuous ones by the Kolmogorov-Smirnov test, discrete ones by
 * chi-square. One seed in 100,000 would exceed a bound.
 */
class RandomDistributionsTest extends OpsOnAMachine {
    private static final int DRAWS = 20_000;
    /** The quantile of Kolmogorov's distribution: √(-log(10⁻⁵ / 2) / 2). */
    private static final double KOLMOGOROV = Math.sqrt(-Math.log(0.5e-5) / 2);
    /** The quantile of the normal distribution. */
    private static final double DEVIATIONS = 4.265;

    private static void assertContinuous(String name, Tensor drawn, DoubleUnaryOperator distribution) {
        double[] sorted = drawn.toDoubleArray();
        Arrays.sort(sorted);
        double largest = 0;
        for (int place = 0; place < sorted.length; place++) {
            double expected = distribution.applyAsDouble(sorted[place]);
            largest = Math.max(largest, Math.abs(expected - (double) place / sorted.length));
            largest = Math.max(largest, Math.abs(expected - (place + 1.0) / sorted.length));
        }
        double statistic = largest * Math.sqrt(sorted.length);
        assertTrue(statistic < KOLMOGOROV, name + ": " + statistic + " of " + KOLMOGOROV);
    }

    /** @param probability the probability of each number from {@code first} on; the last number stands for all numbers from it on */
    private static void assertDiscrete(
            String name, Tensor drawn, int first, int count, IntToDoubleFunction probability) {
        double[] values = drawn.toDoubleArray();
        long[] seen = new long[count];
        for (double value : values) {
            assertEquals(Math.rint(value), value, name + " draws whole numbers");
            assertTrue(value >= first, name + " draws nothing below " + first);
            seen[(int) Math.min(count - 1, value - first)]++;
        }
        double statistic = 0;
        double rest = 1;
        for (int place = 0; place < count; place++) {
            double share = place == count - 1 ? rest : probability.applyAsDouble(first + place);
            rest -= share;
            double expected = share * values.length;
            statistic += (seen[place] - expected) * (seen[place] - expected) / expected;
        }
        double freedom = count - 1;
        double scaled = 2 / (9 * freedom);
        // Wilson and Hilferty, 1931.
        double bound = freedom * Math.pow(1 - scaled + DEVIATIONS * Math.sqrt(scaled), 3);
        assertTrue(statistic < bound, name + ": " + statistic + " of " + bound);
    }

    /** Abramowitz and Stegun, 7.1.26: within 1.5e-7. */
    private static double normal(double x) {
        double t = 1 / (1 + 0.3275911 * Math.abs(x) / Math.sqrt(2));
        double series =
                t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
        double tail = series * Math.exp(-x * x / 2) / 2;
        return x > 0 ? 1 - tail : tail;
    }

    private static Generator seed(long number) {
        return new Generator(number);
    }

    @Test
    void continuousDrawsHaveTheirDistributions() {
        for (DType dtype : new DType[] {DType.FLOAT32, DType.FLOAT64}) {
            assertContinuous("rand", machine.rand(seed(1), dtype, DRAWS), x -> x);
            assertContinuous("randn", machine.randn(seed(2), dtype, DRAWS), RandomDistributionsTest::normal);
            Tensor room = machine.zeros(dtype, DRAWS);
            assertContinuous("uniform", room.uniform_(-3, 5, seed(3)), x -> (x + 3) / 8);
            assertContinuous("normal", room.normal_(2, 0.5, seed(4)), x -> normal((x - 2) / 0.5));
            assertContinuous("exponential", room.exponential_(3, seed(5)), x -> -Math.expm1(-3 * x));
            assertContinuous("cauchy", room.cauchy_(1, 2, seed(6)), x -> 0.5 + Math.atan((x - 1) / 2) / Math.PI);
            assertContinuous("log_normal", room.logNormal_(0.5, 0.7, seed(7)), x -> normal((Math.log(x) - 0.5) / 0.7));
        }
    }

    @Test
    void discreteDrawsHaveTheirDistributions() {
        assertDiscrete("randint", machine.randint(seed(8), -3, 14, DRAWS), -3, 17, k -> 1 / 17.0);
        Tensor room = machine.zeros(DRAWS);
        assertDiscrete("bernoulli", room.bernoulli_(0.3, seed(9)), 0, 2, k -> k == 0 ? 0.7 : 0.3);
        assertDiscrete("geometric", room.geometric_(0.25, seed(10)), 1, 20, k -> 0.25 * Math.pow(0.75, k - 1));
        double[] shares = {0.1, 0.4, 0.05, 0.45};
        Tensor weights = machine.tensor(shares, 4).mul(20);
        assertDiscrete("multinomial", weights.multinomial(DRAWS, true, seed(11)), 0, 4, k -> shares[k]);
        for (double rate : new double[] {0.3, 4, 60}) {
            double[] logs = new double[200];
            for (int k = 1; k < logs.length; k++) {
                logs[k] = logs[k - 1] + Math.log(k);
            }
            int first = rate > 50 ? 40 : 0;
            Tensor drawn = machine.zeros(DRAWS).add(rate).poisson(seed(12)).clampMin(first);
            double below = 0;
            for (int k = 0; k <= first; k++) {
                below += Math.exp(k * Math.log(rate) - rate - logs[k]);
            }
            double atFirst = below;
            assertDiscrete(
                    "poisson",
                    drawn,
                    first,
                    rate < 1 ? 4 : rate < 10 ? 12 : 41,
                    k -> k == first ? atFirst : Math.exp(k * Math.log(rate) - rate - logs[k]));
        }
    }

    /** Where an element goes, and what follows it. */
    @Test
    void permutationsAreEven() {
        int length = 6;
        int draws = 3000;
        Tensor positions = machine.zeros(DType.INT64, draws, length);
        Generator generator = seed(13);
        for (int draw = 0; draw < draws; draw++) {
            positions.select(0, draw).copy_(machine.randperm(generator, length));
        }
        Tensor sorted = positions.sort(1, false).values();
        assertTrue(sorted.equal(machine.arange(length).expand(draws, length)), "each is a permutation");
        for (int place = 0; place < length; place++) {
            assertDiscrete("randperm", positions.select(1, place), 0, length, k -> 1.0 / length);
        }
        Tensor steps = positions.select(1, 1).sub(positions.select(1, 0)).remainder(length);
        assertDiscrete("randperm's steps", steps, 1, length - 1, k -> 1.0 / (length - 1));
    }

    @Test
    void drawsWithoutReplacementAreOfDifferentClasses() {
        Tensor weights = machine.tensor(new double[] {1, 2, 0, 4, 3}, 5).expand(500, 5);
        Tensor drawn = weights.multinomial(4, false, seed(14)).sort(1, false).values();
        assertArrayEquals(new double[] {0, 1, 3, 4}, drawn.select(0, 499).toDoubleArray());
        assertTrue(drawn.equal(machine.tensor(new long[] {0, 1, 3, 4}, 4).expand(500, 4)), "only weights above 0");
        OpException refusal =
                assertThrows(OpException.class, () -> machine.ones(3).multinomial(4, false));
        assertEquals("multinomial: cannot draw 4 without replacement from float32[3]", refusal.getMessage());
    }

    @Test
    void everyEngineDrawsTheSameNumbers() {
        Map<String, Function<RemoteMachine, Tensor>> draws = new LinkedHashMap<>();
        draws.put("rand", machine -> machine.rand(seed(1), 333));
        draws.put("randn", machine -> machine.randn(seed(2), 333));
        draws.put("randint", machine -> machine.randint(seed(3), -9, 1L << 40, 333));
        draws.put("randperm", machine -> machine.randperm(seed(4), 333));
        draws.put("bernoulli", machine -> machine.zeros(333).bernoulli_(0.4, seed(5)));
        draws.put("multinomial", machine -> machine.arange(7).float32().multinomial(99, true, seed(6)));
        draws.put("normal", machine -> machine.zeros(DType.FLOAT64, 333).normal_(1, 2, seed(7)));
        draws.put("exponential", machine -> machine.zeros(333).exponential_(2, seed(8)));
        draws.put("geometric", machine -> machine.zeros(333).geometric_(0.2, seed(9)));
        draws.put("poisson", machine -> machine.arange(333).float32().poisson(seed(10)));
        draws.put("uniform", machine -> machine.zeros(333).uniform_(-1, 1, seed(11)));
        try (RemoteMachine cpu = machine("cpu");
                RemoteMachine reference = machine("reference")) {
            draws.forEach((name, draw) -> {
                double[] expected = draw.apply(reference).toDoubleArray();
                double[] found = draw.apply(cpu).toDoubleArray();
                // Bits are the same; logarithms and sines are taken from different libraries.
                for (int place = 0; place < expected.length; place++) {
                    assertEquals(expected[place], found[place], 2e-6 * Math.abs(expected[place]), name + " " + place);
                }
            });
        }
    }

    private static RemoteMachine machine(String engine) {
        return RemoteMachine.of("mock", "A100", new MachineOptions().option("engine", engine));
    }
}
