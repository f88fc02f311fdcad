package dev.outpost.system.machines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests machines that live without a client. */
@Tag("quick")
class AttachTest {
    private final MockProvider provider = new MockProvider(MockSettings.STANDARD);
    private final MachineKeeper keeper = provider.keeper().orElseThrow();

    @Test
    void closingLeavesTheMachineRunning() {
        String id = start();
        for (int client = 1; client <= 2; client++) {
            try (RemoteMachine machine = attach(id)) {
                assertEquals(id, machine.name());
                assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            }
        }
        assertEquals(
                "running",
                provider.keeper()
                        .orElseThrow()
                        .list()
                        .await()
                        .indefinitely()
                        .getFirst()
                        .state());
        keeper.stop(id).await().indefinitely();
    }

    @Test
    void stoppedMachineIsLost() {
        String id = start();
        RemoteMachine machine = attach(id).awaitReady();
        keeper.stop(id).await().indefinitely();
        var lost = assertThrows(MachineLostException.class, () -> {
            while (true) {
                machine.synchronize();
            }
        });
        assertEquals("mock-1: the machine is lost: mock-1 was stopped", lost.getMessage());
        machine.close();
    }

    @Test
    void aMachineThatIsNotThereIsNamed() {
        RemoteMachine machine = attach("mock-9");
        var missing = assertThrows(OutpostException.class, machine::awaitReady);
        assertEquals(
                "mock-9: the machine did not start: the mock has no machine called mock-9; there are none",
                missing.getMessage());
        machine.close();
    }

    @Test
    void attachingToAProviderWithoutKeptMachinesIsRefused() {
        var refused = assertThrows(IllegalArgumentException.class, () -> RemoteMachine.attach("endpoint", "m1"));
        assertEquals(
                "attach: provider endpoint has no machines that live without a client, so there is none called m1;"
                        + " RemoteMachine.of starts one",
                refused.getMessage());
    }

    @Test
    void nothingCanBeSaidOfAMachineThatIsThere() {
        MachineOptions options = new MachineOptions().option("delay", "5");
        var refused =
                assertThrows(IllegalArgumentException.class, () -> RemoteMachine.attach(provider, "mock-1", options));
        assertEquals(
                "attach: the machine is what it is, so expected neither options nor a count of GPUs, got [delay] and 1",
                refused.getMessage());
    }

    private String start() {
        MachineSpec spec = MachineSpec.of(GpuCatalogue.configured().find("A100"));
        return keeper.start(spec, Duration.ofMinutes(1), step -> {}).await().indefinitely();
    }

    private RemoteMachine attach(String id) {
        return RemoteMachine.attach(provider, id, new MachineOptions());
    }
}
