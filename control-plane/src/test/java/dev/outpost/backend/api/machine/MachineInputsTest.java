package dev.outpost.backend.api.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.backend.api.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MachineInputsTest {
    /** The bill takes the deployment's name from the rest of the owner, and its CSV table writes the rest unchanged. */
    @ParameterizedTest
    @ValueSource(strings = {"deployment chat", "deployment x,0,0,EUR", "deployment =1+1"})
    void nobodyOwnsAMachineAsADeployment(String owner) {
        assertEquals(
                Problem.Code.INVALID,
                assertThrows(Problem.class, () -> MachineInputs.checkedOwner(owner))
                        .code());
    }

    @Test
    void otherOwnersAreKeptAsTheyAre() {
        assertEquals("deployments of Ada", MachineInputs.checkedOwner("deployments of Ada"));
    }
}
