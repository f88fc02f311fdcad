package dev.outpost.rest.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.MachinePhase;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PhaseTest {
    @Test
    void phasesHaveTheOrderOfTheProvidersPhases() {
        List<MachinePhase> phases =
                Arrays.stream(Phase.values()).map(Phase::machinePhase).toList();
        assertEquals(phases.stream().sorted().toList(), phases);
    }

    /** A client would otherwise never learn that its machine is ready, or that it has ended. */
    @Test
    void phasesThatClientsWaitForHaveOneValueEach() {
        assertEquals(MachinePhase.READY, Phase.READY.machinePhase());
        assertEquals(MachinePhase.ENDED, Phase.ENDED.machinePhase());
        assertTrue(Arrays.stream(Phase.values())
                .filter(phase -> phase.state() == Phase.State.STARTING)
                .allMatch(phase -> phase.machinePhase().compareTo(MachinePhase.READY) < 0));
    }
}
