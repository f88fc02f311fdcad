package dev.outpost.system.faults;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.protocol.message.RemoteException;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.support.tests.Await;
import dev.outpost.support.tests.PlainNames;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** A single value that exceeds the machine's memory is refused, and nothing else is. */
class TooLargeTest {
    private static final long MIB = 1 << 20;
    private static final MockSettings SETTINGS = MockSettings.STANDARD.withQuota(64 * MIB);

    private static RemoteMachine machine(MockSettings settings) {
        return RemoteMachine.of(new MockProvider(settings), "A100", new MachineOptions().highWaterBytes(16 * MIB));
    }

    private static String refusal(Executable call) {
        OutpostException refused = assertThrows(OutpostException.class, call);
        assertEquals(FaultKind.RESOURCES, refused.kind());
        return PlainNames.in(refused.getMessage());
    }

    @Test
    void tooLargeValueIsRefusedAtTheCall() {
        try (RemoteMachine machine = machine(SETTINGS).awaitReady()) {
            assertEquals(
                    "zeros: float32[274877906944] would take 1099511627776 bytes, and mock-A100 has 67108864 for all"
                            + " tensors of a session; compute it in parts, or ask for a machine with more memory",
                    refusal(() -> machine.zeros(1L << 38)));
            Tensor row = machine.ones(1, 8192);
            assertTrue(
                    refusal(() -> row.mul(row.t())).startsWith("mul: float32[8192,8192] would take 268435456 bytes"));
            assertTrue(refusal(() -> machine.program(inputs ->
                                    List.of(inputs.get(0).expand(8192, 8192).add(1)))
                            .call(row))
                    .startsWith("call: float32[8192,8192] would take 268435456 bytes"));
            assertArrayEquals(new float[] {1, 1}, machine.ones(2).toFloatArray());
        }
    }

    /** The machine has not started yet, so its memory is unknown; it refuses the value when it runs the segment. */
    @Test
    void tooLargeValueBeforeTheStartIsRefusedWhenItRuns() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(300), this::refuseATooLargeValue);
    }

    private void refuseATooLargeValue(Duration start) {
        RemoteMachine machine = machine(SETTINGS.withProvisioning(start));
        Tensor huge = machine.zeros(1L << 38);
        Tensor worse = huge.add(1);
        machine.awaitReady();
        assertArrayEquals(new float[] {1, 1}, machine.ones(2).toFloatArray());
        assertTrue(assertThrows(RemoteException.class, () -> worse.sum().item())
                .getMessage()
                .startsWith("full: out of memory, requested 1099511627776 bytes"));
        assertArrayEquals(new float[] {1, 1}, machine.ones(2).toFloatArray());
        huge.close();
        worse.close();
        assertEquals(4 * MIB, machine.zeros(4 * MIB).add(1).sum().itemDouble());
        machine.close();
    }

    /** The size of two such values does not fit a long. */
    @Test
    void refusedValueTakesNoMemory() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(300), this::refuseValues);
    }

    private void refuseValues(Duration start) {
        RemoteMachine machine = machine(SETTINGS.withProvisioning(start));
        Tensor[] huge = {machine.zeros(1L << 60), machine.zeros(1L << 60), machine.zeros(1L << 60)};
        machine.awaitReady();
        huge[0].close();
        for (int step = 0; step < 20; step++) {
            assertEquals(2 * MIB, machine.ones(2 * MIB).sum().itemDouble());
        }
        assertThrows(RemoteException.class, () -> huge[1].sum().item());
        assertThrows(RemoteException.class, () -> huge[2].sum().item());
        machine.close();
    }

    /** Garbage in an open segment stays until the segment is sealed; once nothing could run any more because of this. */
    @Test
    void garbageOfPlainCodeMakesRoom() {
        try (RemoteMachine machine = machine(SETTINGS).awaitReady()) {
            for (int step = 0; step < 100; step++) {
                machine.zeros(2 * MIB);
            }
            assertArrayEquals(new float[] {1, 1}, machine.ones(2).toFloatArray());
        }
    }

    /** Live values are not garbage: the call is refused as before, and the end of a scope makes room. */
    @Test
    void memoryIsFreeAgainAfterTheScope() {
        try (RemoteMachine machine = machine(SETTINGS).awaitReady()) {
            try (Scope scope = machine.scope()) {
                String refused = refusal(() -> {
                    for (int step = 0; step < 100; step++) {
                        machine.zeros(2 * MIB);
                    }
                });
                assertTrue(refused.contains("out of memory, tensors hold"), refused);
            }
            assertArrayEquals(new float[] {1, 1}, machine.ones(2).toFloatArray());
        }
    }
}
