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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** No call waits forever for a machine that never answers. */
@Tag("quick")
class SilentRuntimeTest {
    private static final String HANGS = " for 0 s; the machine hangs, or needs longer than MachineOptions.readLimit";

    private RemoteMachine machine;
    private Tensor tensor;

    @BeforeEach
    void connect() {
        MachineOptions options = new MachineOptions().readLimit(Duration.ofMillis(200));
        machine = RemoteMachine.connect(new Endpoint.InProcess(new SilentRuntime()), options);
        tensor = machine.ones(3);
        machine.awaitReady();
    }

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    void aReadFails() {
        assertTrue(
                hanging(tensor::toFloatArray).contains("nothing came of float32[3] for 0 s, 0 of 12 bytes are here"));
    }

    @Test
    void unawaitedReadFails() {
        ExecutionException failed =
                assertThrows(ExecutionException.class, () -> tensor.fetch().get());
        assertTrue(failed.getMessage().contains("nothing came of float32[3]"), failed::getMessage);
    }

    @Test
    void synchronizeFails() {
        assertEquals("synchronize: the machine did nothing" + HANGS, hanging(machine::synchronize));
    }

    @Test
    void explainFails() {
        assertEquals("explain: the machine did nothing" + HANGS, hanging(tensor::explain));
    }

    @Test
    void aScanFails() {
        var step = machine.program(in -> List.of(in.getFirst().add(1)));
        var scan = machine.scan(step, List.of(tensor), 10);
        assertEquals("iterations: the machine did nothing" + HANGS, hanging(scan::iterations));
    }

    /** There is room for 256 segments that have not run. */
    @Test
    void recordingFailsWhereThereIsNoRoom() {
        assertEquals("add: the machine did nothing" + HANGS, hanging(() -> {
            for (int step = 0; step < 1000; step++) {
                machine.endStep();
                tensor.add(1);
            }
        }));
    }

    private static String hanging(Executable call) {
        OutpostException failed = assertThrows(OutpostException.class, call);
        assertEquals(FaultKind.EXTERNAL, failed.kind());
        return failed.getMessage();
    }
}
