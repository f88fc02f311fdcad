package dev.outpost.system.optim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.nn.Linear;
import dev.outpost.optim.CosineAnnealingWarmRestarts;
import dev.outpost.optim.CyclicLR;
import dev.outpost.optim.LearningRateSchedule;
import dev.outpost.optim.MultiplicativeLR;
import dev.outpost.optim.Optimizer;
import dev.outpost.optim.PolynomialLR;
import dev.outpost.optim.ReduceLROnPlateau;
import dev.outpost.optim.SGD;
import dev.outpost.optim.SWALR;
import dev.outpost.system.torch.TorchFixture;
import dev.outpost.types.OpException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares learning rates step by step with PyTorch's. */
class TorchSchedulesTest {
    private static final TorchFixture TORCH = TorchFixture.of("schedules");
    private static final double ROUNDING = 1e-14;

    private final Optimizer optimizer = new SGD(new Linear(1, 1).parameters(), 0.05);

    static Stream<String> cases() {
        return TORCH.cases().filter(name -> !name.equals("metrics"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void ratesArePyTorchs(String name) {
        double[] expected = TORCH.get(name + "/rates").toDoubleArray();
        double[] metrics = TORCH.get("metrics/values").toDoubleArray();
        ReduceLROnPlateau plateau = name.startsWith("plateau") ? plateau(name) : null;
        LearningRateSchedule schedule = plateau == null ? schedule(name) : null;
        double[] rates = new double[expected.length];
        rates[0] = rate();
        for (int step = 1; step < rates.length; step++) {
            if (plateau == null) {
                schedule.step();
            } else {
                plateau.step(metrics[step - 1]);
            }
            rates[step] = rate();
        }
        assertArrayEquals(expected, rates, ROUNDING);
        if (schedule != null) {
            schedule.moveTo(3);
            assertEquals(expected[3], rate(), ROUNDING);
        }
    }

    private double rate() {
        return optimizer.groups().getFirst().learningRate();
    }

    private LearningRateSchedule schedule(String name) {
        return switch (name) {
            case "multiplicative" -> new MultiplicativeLR(optimizer, step -> 0.9 + 0.01 * step);
            case "polynomial" -> new PolynomialLR(optimizer, 10, 2);
            case "restarts" -> new CosineAnnealingWarmRestarts(optimizer, 4, 2, 0.001);
            case "restarts_even" -> new CosineAnnealingWarmRestarts(optimizer, 5);
            case "cyclic" -> new CyclicLR(optimizer, 0.01, 0.1, 4, 3, CyclicLR.Mode.TRIANGULAR, 1);
            case "cyclic2" -> new CyclicLR(optimizer, 0.01, 0.1, 3, 3, CyclicLR.Mode.TRIANGULAR2, 1);
            case "cyclic_range" -> new CyclicLR(optimizer, 0.01, 0.1, 3, 3, CyclicLR.Mode.EXP_RANGE, 0.9);
            case "swa" -> new SWALR(optimizer, 0.01, 6, false);
            case "swa_linear" -> new SWALR(optimizer, 0.01, 6, true);
            default -> throw new AssertionError("no such schedule: " + name);
        };
    }

    private ReduceLROnPlateau plateau(String name) {
        ReduceLROnPlateau.Options options = name.equals("plateau")
                ? ReduceLROnPlateau.Options.defaults().patience(2).factor(0.5)
                : ReduceLROnPlateau.Options.defaults()
                        .maximize(true)
                        .patience(1)
                        .threshold(0.005, false)
                        .cooldown(2)
                        .minimum(0.01);
        return new ReduceLROnPlateau(optimizer, options);
    }

    @Test
    void aPlateausStateGoesOnWhereItWas() {
        ReduceLROnPlateau first = plateau("plateau");
        first.step(1);
        first.step(2);
        first.step(3);
        ReduceLROnPlateau second = plateau("plateau");
        second.loadStateDict(first.stateDict());
        assertEquals(1, second.best());
        second.step(4);
        assertEquals(0.025, rate(), ROUNDING);
        assertThrows(OpException.class, () -> second.loadStateDict(java.util.Map.of("best", 1.0)));
    }

    @Test
    void badSettingsAreRefused() {
        assertThrows(OpException.class, () -> new PolynomialLR(optimizer, 0, 1));
        assertThrows(OpException.class, () -> new CosineAnnealingWarmRestarts(optimizer, 0));
        assertThrows(
                OpException.class, () -> ReduceLROnPlateau.Options.defaults().factor(1));
    }
}
