package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import org.junit.jupiter.api.Test;

/** A single value that exceeds the memory of a remote machine is refused at the call, and the machine continues. */
class TooLargeOverTheNetworkTest {
    @Test
    void aValueThatIsMoreThanTheMachineHas() {
        try (RemoteMachine machine = RuntimeProcess.shared().connect().awaitReady()) {
            OutpostException refused = assertThrows(OutpostException.class, () -> machine.zeros(1L << 38));
            assertEquals(FaultKind.RESOURCES, refused.kind());
            assertTrue(
                    refused.getMessage()
                            .startsWith("zeros: float32[274877906944] would take 1099511627776 bytes, and "),
                    refused.getMessage());
            assertArrayEquals(new float[] {1, 1}, machine.ones(2).toFloatArray());
        }
    }
}
