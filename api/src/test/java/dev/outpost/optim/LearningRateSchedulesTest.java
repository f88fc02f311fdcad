package dev.outpost.optim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.nn.Linear;
import dev.outpost.types.OpException;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rates that PyTorch's documentation lists, or that its recursive formulas give. */
@Tag("quick")
class LearningRateSchedulesTest {
    private static final double BASE = 0.05;
    private static final double ROUNDING = 1e-15;

    private final SGD optimizer = new SGD(new Linear(1, 1).parameters(), BASE);

    @Test
    void step() {
        assertRates(it -> new StepLR(it, 2, 0.1), 0.05, 0.05, 0.005, 0.005, 0.0005);
    }

    @Test
    void multiStep() {
        assertRates(it -> new MultiStepLR(it, 0.1, 1, 3), 0.05, 0.005, 0.005, 0.0005);
    }

    @Test
    void exponential() {
        assertRates(it -> new ExponentialLR(it, 0.5), 0.05, 0.025, 0.0125);
    }

    @Test
    void linear() {
        assertRates(it -> new LinearLR(it, 0.5, 1, 4), 0.025, 0.03125, 0.0375, 0.04375, 0.05, 0.05);
    }

    @Test
    void constant() {
        assertRates(it -> new ConstantLR(it, 0.5, 4), 0.025, 0.025, 0.025, 0.025, 0.05);
    }

    @Test
    void lambda() {
        assertRates(it -> new LambdaLR(it, steps -> 1.0 / (1 + steps)), 0.05, 0.025, 0.05 / 3);
    }

    /** PyTorch computes each rate from the one before. */
    @Test
    void cosineAnnealing() {
        int halfPeriod = 10;
        double minimum = 0.001;
        double[] rates = new double[halfPeriod + 1];
        rates[0] = BASE;
        for (int t = 1; t <= halfPeriod; t++) {
            double ratio = (1 + Math.cos(Math.PI * t / halfPeriod)) / (1 + Math.cos(Math.PI * (t - 1) / halfPeriod));
            rates[t] = ratio * (rates[t - 1] - minimum) + minimum;
        }
        assertRates(it -> new CosineAnnealingLR(it, halfPeriod, minimum), rates);
    }

    @Test
    void oneCycle() {
        assertRates(it -> new OneCycleLR(it, 1, 10), 0.04, 0.52, 1);
        assertEquals(4e-6, new OneCycleLR(optimizer, 1, 10).learningRate(BASE, 9), ROUNDING);
    }

    @Test
    void oneCycleEnds() {
        OneCycleLR schedule = new OneCycleLR(optimizer, 1, 10);
        OpException refusal = assertThrows(OpException.class, () -> schedule.moveTo(11));
        assertEquals("OneCycleLR: there are 10 steps, got step 11", refusal.getMessage());
    }

    @Test
    void sequentialStartsEachAtItsOwnFirstStep() {
        assertRates(
                it -> new SequentialLR(it, List.of(new ConstantLR(it, 0.1, 2), new ExponentialLR(it, 0.5)), 2),
                0.005,
                0.005,
                0.05,
                0.025);
    }

    @Test
    void chainedMultiplies() {
        assertRates(
                it -> new ChainedLR(it, List.of(new ConstantLR(it, 0.1, 2), new ExponentialLR(it, 0.5))),
                0.005,
                0.0025,
                0.0125);
    }

    @Test
    void groupsKeepTheirOwnBase() {
        Linear layer = new Linear(1, 1);
        SGD grouped = new SGD(
                new ParameterGroup(List.of(layer.weight()), 1, 0), new ParameterGroup(List.of(layer.bias()), 2, 0));
        new ExponentialLR(grouped, 0.5).step();
        assertEquals(
                List.of(0.5, 1.0),
                grouped.groups().stream().map(ParameterGroup::learningRate).toList());
    }

    @Test
    void aParameterIsInOneGroupOnly() {
        Linear layer = new Linear(1, 1);
        OpException refusal = assertThrows(
                OpException.class,
                () -> new SGD(layer.parameters(), 1).add(new ParameterGroup(layer.parameters(), 1, 0)));
        assertEquals("optimizer: parameter weight is in the optimizer already", refusal.getMessage());
    }

    @Test
    void hyperparametersAreChecked() {
        OpException refusal = assertThrows(OpException.class, () -> new SGD(List.of(), -1));
        assertEquals("optimizer: the learning rate must not be negative, got -1.0", refusal.getMessage());
    }

    private void assertRates(Function<Optimizer, LearningRateSchedule> make, double... expected) {
        LearningRateSchedule schedule = make.apply(optimizer);
        double[] rates = new double[expected.length];
        for (int step = 0; step < rates.length; step++) {
            rates[step] = optimizer.groups().getFirst().learningRate();
            schedule.step();
        }
        assertArrayEquals(expected, rates, ROUNDING);
    }
}
