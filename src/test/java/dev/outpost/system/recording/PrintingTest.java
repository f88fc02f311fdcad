package dev.outpost.system.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.functional.Transforms;
import dev.outpost.protocol.message.RemoteException;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.support.tests.Await;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Debuggers print tensors and machines at any time: this never throws, and waits for at most two seconds. */
@Tag("quick")
class PrintingTest {
    private static final Duration FOREVER = Duration.ofHours(1);

    private static Tensor failing(RemoteMachine machine) {
        return machine.ones(3).indexSelect(0, machine.tensor(new long[] {7}));
    }

    @Test
    void aTensorWithoutValuesPrintsTypeAndState() {
        MockProvider mock = new MockProvider(MockSettings.STANDARD);
        RemoteMachine machine = RemoteMachine.of(mock, "A100", new MachineOptions());
        Tensor closed = machine.ones(3, 4);
        closed.close();
        assertEquals("float32[3, 4] (closed)", closed.toString());
        Tensor failed = failing(machine);
        assertTrue(failed.toString().startsWith("float32[1] (failed: index_select: "), failed.toString());
        List<String> inProgram = new ArrayList<>();
        machine.program(in -> {
                    inProgram.add(in.getFirst().toString());
                    return in;
                })
                .call(machine.ones(2));
        assertEquals(List.of("float32[2] (in a program)"), inProgram);
        List<String> mapped = new ArrayList<>();
        Transforms.vmap(x -> {
                    mapped.add(x.toString());
                    return x;
                })
                .apply(machine.ones(3, 2));
        assertEquals(List.of("float32[2] (in a mapped function)"), mapped);
        Tensor lost = machine.ones(2);
        mock.machines().getFirst().lose("the node was preempted");
        Await.until(
                "the tensor is lost",
                () -> lost.toString()
                        .equals("float32[2] (lost: " + machine.name()
                                + ": the machine is lost: the node was preempted)"));
        assertThrows(OutpostException.class, machine::close);
        assertTrue(lost.toString().startsWith("float32[2] ("), lost.toString());
    }

    @Test
    void aMachineThatDoesNotComeIsNotAwaited() {
        MockProvider slow = new MockProvider(MockSettings.STANDARD.withProvisioning(FOREVER));
        try (RemoteMachine machine = RemoteMachine.of(slow, "A100", new MachineOptions().closeLimit(Duration.ZERO))) {
            assertEquals("float32[3, 4] (not read)", machine.ones(3, 4).toString());
            Await.until(
                    "the start is under way",
                    () -> machine.toString()
                            .equals("RemoteMachine(" + machine.name()
                                    + ", no id yet, A100, starting: asking for a mock A100)"));
        }
    }

    @Test
    void anInterruptedThreadReadsNothing() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor x = machine.ones(2);
            Thread.currentThread().interrupt();
            assertEquals("float32[2] (not read)", x.toString());
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void aSettingForDebuggersReadsNothing() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor x = machine.ones(2);
            System.setProperty("outpost.tostring", "type");
            try {
                assertEquals("float32[2]", x.toString());
            } finally {
                System.clearProperty("outpost.tostring");
            }
            assertEquals(0, machine.stats().waits());
            assertEquals("tensor([1., 1.])", x.toString());
        }
    }

    /** Printing does not count as a read: a failure is still reported at close. */
    @Test
    void aFailureThatWasOnlyPrintedIsReportedAtClose() {
        RemoteMachine machine = RemoteMachine.of("mock", "A100").awaitReady();
        Tensor failed = failing(machine);
        assertTrue(failed.toString().contains("failed: index_select"), failed.toString());
        RemoteException told = assertThrows(RemoteException.class, machine::close);
        assertTrue(told.getMessage().startsWith("index_select: "), told.getMessage());
    }

    @Test
    void aFailureThatWasReadAndPrintedIsToldOnce() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor failed = failing(machine);
            assertTrue(failed.toString().contains("failed: index_select"), failed.toString());
            assertThrows(RemoteException.class, failed::toFloatArray);
        }
    }

    /** The cache does not keep a failed print: each later print or read of the value reports the failure. */
    @Test
    void aFailureThatWasPrintedTwiceIsTold() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            Tensor failed = failing(machine);
            assertTrue(failed.toString().contains("failed: index_select"), failed.toString());
            assertTrue(failed.toString().contains("failed: index_select"), failed.toString());
            assertThrows(RemoteException.class, failed::toFloatArray);
        }
    }

    @Test
    void aTensorThatAnotherThreadClosesIsPrinted() throws InterruptedException {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            for (int round = 0; round < 300; round++) {
                Tensor tensor = machine.ones(2);
                Thread closer = Thread.startVirtualThread(tensor::close);
                String text = tensor.toString();
                closer.join();
                assertTrue(text.equals("tensor([1., 1.])") || text.startsWith("float32[2] (closed"), text);
            }
        }
    }

    @Test
    void machinesPrintNameIdGpuAndPhase() {
        RemoteMachine machine = RemoteMachine.of("mock", "A100").awaitReady();
        assertTrue(
                machine.toString().matches("RemoteMachine\\(mock-A100(#\\d+)?, id mock-\\d+, .*, ready\\)"),
                machine::toString);
        machine.close();
        assertTrue(machine.toString().endsWith(", closed)"), machine::toString);
        try (MachineGroup group = MachineGroup.of("mock", "A100", 2)) {
            group.awaitReady();
            assertTrue(
                    group.toString().matches("MachineGroup\\(mock-A100x2(#\\d+)?, id \\S+ \\S+, 2 × .*, ready\\)"),
                    group::toString);
        }
        RemoteMachine failing = RemoteMachine.of(
                new MockProvider(MockSettings.STANDARD.withFailure("no A100 is free")), "A100", new MachineOptions());
        Await.until("the start has failed", () -> failing.toString().endsWith(", failed)"));
        assertThrows(OutpostException.class, failing::close);
    }

    @Test
    void twoMachinesOfOneNameAreToldApart() {
        try (RemoteMachine one = RemoteMachine.of("mock", "A100");
                RemoteMachine other = RemoteMachine.of("mock", "A100")) {
            assertTrue(one.name().startsWith("mock-A100"), one::name);
            assertTrue(other.name().startsWith("mock-A100#"), other::name);
            assertNotEquals(one.name(), other.name());
            OutpostException mixed =
                    assertThrows(OutpostException.class, () -> one.ones(2).add(other.ones(2)));
            assertTrue(mixed.getMessage().contains("got " + one.name() + " and " + other.name()), mixed.getMessage());
            RemoteException failed =
                    assertThrows(RemoteException.class, () -> failing(other).toFloatArray());
            assertTrue(failed.getMessage().endsWith(", on " + other.name()), failed.getMessage());
        }
        try (RemoteMachine next = RemoteMachine.of("mock", "A100")) {
            assertTrue(next.name().startsWith("mock-A100"), next::name);
        }
    }
}
