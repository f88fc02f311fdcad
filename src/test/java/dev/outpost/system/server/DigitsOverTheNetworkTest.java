package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.examples.DigitsTraining;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The whole digits demo on a machine in another process is, bit for bit, the one in this process. */
class DigitsOverTheNetworkTest {
    private static final int EPOCHS = 30;
    private static final double REQUIRED_ACCURACY = 0.97;

    /** Losses and accuracies of all epochs, and the weights in the end. */
    private record Outcome(List<DigitsTraining.Epoch> epochs, List<byte[]> weights) {}

    private static Outcome expected;

    @BeforeAll
    static void trainInThisProcess() {
        expected = train(RemoteMachine.of("mock", "any"));
    }

    @Test
    void overTls() {
        assertSame(train(RuntimeProcess.shared().connect()));
    }

    @Test
    void overASocket() {
        assertSame(train(RemoteMachine.connect(RuntimeProcess.shared().local(), new MachineOptions())));
    }

    private static void assertSame(Outcome actual) {
        assertEquals(expected.epochs, actual.epochs);
        for (int index = 0; index < expected.weights.size(); index++) {
            assertArrayEquals(expected.weights.get(index), actual.weights.get(index), "parameter " + index);
        }
        double accuracy = actual.epochs.getLast().accuracy();
        assertTrue(accuracy >= REQUIRED_ACCURACY, "accuracy " + accuracy);
    }

    private static Outcome train(RemoteMachine connected) {
        try (RemoteMachine machine = connected) {
            List<DigitsTraining.Epoch> epochs = new ArrayList<>();
            DigitsTraining training = new DigitsTraining(machine, 0);
            training.run(EPOCHS, epochs::add);
            return new Outcome(
                    epochs,
                    training.model().parameters().stream()
                            .map(parameter -> parameter.tensor().toHost().bytes())
                            .toList());
        }
    }
}
