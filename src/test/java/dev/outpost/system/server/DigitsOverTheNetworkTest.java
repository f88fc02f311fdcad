package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.examples.DigitsTraining;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The digits demo on a machine in another process is, bit for bit, the one in this process. */
class DigitsOverTheNetworkTest {
    private static final int FIRST = 4;
    private static final int ALL = 30;
    private static final double REQUIRED_ACCURACY = 0.97;

    /** Losses and accuracies of all epochs, and the final weights. */
    private record Outcome(List<DigitsTraining.Epoch> epochs, List<byte[]> weights) {}

    @Test
    void theFirstEpochsAreTheSame() {
        Outcome expected = train(RemoteMachine.of("mock", "any"), FIRST);
        assertSame(expected, train(RuntimeProcess.shared().connect(), FIRST));
        assertSame(expected, train(overASocket(), FIRST));
    }

    @Test
    @Tag("full")
    void allEpochsAreTheSame() {
        Outcome expected = train(RemoteMachine.of("mock", "any"), ALL);
        assertSame(expected, train(RuntimeProcess.shared().connect(), ALL));
        assertSame(expected, train(overASocket(), ALL));
        double accuracy = expected.epochs.getLast().accuracy();
        assertTrue(accuracy >= REQUIRED_ACCURACY, "accuracy " + accuracy);
    }

    private static RemoteMachine overASocket() {
        return RemoteMachine.connect(RuntimeProcess.shared().local(), new MachineOptions());
    }

    private static void assertSame(Outcome expected, Outcome actual) {
        assertEquals(expected.epochs, actual.epochs);
        for (int index = 0; index < expected.weights.size(); index++) {
            assertArrayEquals(expected.weights.get(index), actual.weights.get(index), "parameter " + index);
        }
    }

    private static Outcome train(RemoteMachine connected, int count) {
        try (RemoteMachine machine = connected) {
            List<DigitsTraining.Epoch> epochs = new ArrayList<>();
            DigitsTraining training = new DigitsTraining(machine, 0);
            training.run(count, epochs::add);
            return new Outcome(
                    epochs,
                    training.model().parameters().stream()
                            .map(parameter -> parameter.tensor().toHost().bytes())
                            .toList());
        }
    }
}
