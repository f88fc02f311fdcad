package dev.outpost.system.process;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.examples.DigitsTraining;
import dev.outpost.support.tests.Await;
import dev.outpost.types.OutpostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine that is a process is paused: the process ends, and another one continues. */
class PausedProcessTest {
    private static final int EPOCHS = 2;

    @TempDir
    Path folder;

    private RemoteMachine machine(ProcessHost host) {
        String store = "file:" + folder.resolve("states");
        return RemoteMachine.of(host.provider("sources", store), "any", new MachineOptions().store(store));
    }

    @Test
    void aTrainingGoesOnInAnotherProcessWithTheSameBits() {
        ProcessHost host = new ProcessHost(folder.resolve("machines"));
        List<DigitsTraining.Epoch> expected = new ArrayList<>();
        byte[] expectedWeights;
        try (RemoteMachine machine = machine(host)) {
            expectedWeights = weights(new DigitsTraining(machine, 0), expected, () -> {});
        }
        List<DigitsTraining.Epoch> seen = new ArrayList<>();
        try (RemoteMachine machine = machine(host)) {
            byte[] weights = weights(new DigitsTraining(machine, 0), seen, () -> {
                ProcessHandle process = host.process(id(machine));
                machine.pause();
                Await.until("the process has ended", () -> !process.isAlive());
            });
            assertEquals(expected, seen);
            assertArrayEquals(expectedWeights, weights);
        }
    }

    /** Returns the provider's id of the machine's present process. */
    private static String id(RemoteMachine machine) {
        return machine.toString().replaceAll(".*, id ([^,]+),.*", "$1");
    }

    private static byte[] weights(DigitsTraining training, List<DigitsTraining.Epoch> seen, Runnable between) {
        training.run(EPOCHS, epoch -> {
            seen.add(epoch);
            between.run();
        });
        return training.model().parameters().getFirst().tensor().toHost().bytes();
    }

    @Test
    void aResumptionWithoutItsStateIsTriedAgain() throws Exception {
        ProcessHost host = new ProcessHost(folder.resolve("machines"));
        try (RemoteMachine machine = machine(host)) {
            Tensor x = machine.ones(10);
            machine.pause();
            Path states = folder.resolve("states");
            Path elsewhere = folder.resolve("elsewhere");
            Files.move(states, elsewhere);
            OutpostException refused = assertThrows(OutpostException.class, machine::resume);
            assertTrue(refused.getMessage().contains("is missing"), refused::getMessage);
            assertFalse(machine.toString().contains("lost"), machine::toString);
            Files.move(elsewhere, states);
            assertEquals(10.0, x.sum().itemDouble());
        }
    }
}
