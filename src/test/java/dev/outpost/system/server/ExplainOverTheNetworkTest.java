package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.explain.Explanation;
import dev.outpost.types.OutpostException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A machine in another process explains a program, but none of another session. */
class ExplainOverTheNetworkTest {
    private static RemoteMachine machine() {
        return RemoteMachine.connect(RuntimeProcess.shared().remote(), new MachineOptions());
    }

    private static Program program(RemoteMachine machine) {
        return machine.program(in -> List.of(in.getFirst().mul(2).add(1).relu()));
    }

    @Test
    void eachClientIsToldOfItsOwnRuns() {
        try (RemoteMachine machine = machine();
                RemoteMachine other = machine()) {
            Program mine = program(machine);
            Program theirs = program(other);
            for (int call = 0; call < 3; call++) {
                mine.call(machine.ones(4));
            }
            theirs.call(other.ones(4));
            Explanation explanation = mine.explain();
            assertEquals(3, explanation.segment().runs());
            assertEquals(1, explanation.kernels().size());
            assertTrue(explanation.kernels().getFirst().times().isKnown());
            assertEquals(1, theirs.explain().segment().runs());
            Tensor value = mine.call(machine.ones(4)).getFirst();
            assertEquals(3, value.toFloatArray()[0]);
        }
    }

    @Test
    void aMachineThatIsClosedTellsNothing() {
        Program program;
        try (RemoteMachine machine = machine()) {
            program = program(machine);
            program.call(machine.ones(4));
        }
        assertTrue(assertThrows(OutpostException.class, program::explain)
                .getMessage()
                .contains("closed"));
    }
}
