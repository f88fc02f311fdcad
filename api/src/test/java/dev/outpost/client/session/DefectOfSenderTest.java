package dev.outpost.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.Endpoint;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A defect in the sending thread loses its messages, so the session ends and the program gets an error. */
@Tag("quick")
class DefectOfSenderTest {
    @Test
    void laterRecordingIsRefusedWithTheReason() {
        SilentRuntime runtime = new SilentRuntime();
        RemoteMachine machine = RemoteMachine.connect(new Endpoint.InProcess(runtime), new MachineOptions());
        Tensor x = machine.ones(3);
        machine.awaitReady();
        runtime.failWith(new IllegalStateException("a defect"));
        OutpostException refused = assertThrows(OutpostException.class, () -> recordForEver(machine, x));
        assertEquals(FaultKind.INTERNAL, refused.kind());
        // Either the sending thread or a thread that answers a frame meets the defect first.
        assertTrue(
                refused.getMessage()
                        .matches("(?s).*(the thread that sends failed|a frame of the machine could not be handled):"
                                + " java.lang.IllegalStateException: a defect.*"),
                refused::getMessage);
        machine.close();
    }

    private static void recordForEver(RemoteMachine machine, Tensor x) {
        while (true) {
            x.add(1).close();
            machine.endStep();
        }
    }
}
