package dev.outpost.system.faults;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.Index;
import dev.outpost.MachineGroup;
import dev.outpost.MachineLossPolicy;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.protocol.message.RemoteException;
import dev.outpost.provider.mock.MockNetwork;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.stats.Provisioning;
import dev.outpost.support.tests.Await;
import dev.outpost.support.tests.PlainNames;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MachineLostException;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A failure on the machine, or of the machine, is thrown to readers of the affected values, and to no others.
 */
@Tag("quick")
class RemoteFaultsTest {
    private final MockProvider provider = new MockProvider(MockSettings.STANDARD.withQuota(1 << 20));

    private RemoteMachine machine(MachineOptions options) {
        return RemoteMachine.of(provider, "A100", options);
    }

    private RemoteMachine machine() {
        return machine(new MachineOptions());
    }

    @Test
    void anIndexOutOfBoundsTouchesOnlyWhatNeededIt() {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.arange(4).float32();
            Tensor before = x.mul(2);
            Tensor bad = x.indexSelect(0, machine.tensor(new long[] {1, 4}));
            Tensor worse = bad.add(1).sum();
            Tensor after = x.add(1);
            RemoteException fault = assertThrows(RemoteException.class, worse::item);
            assertEquals(FaultKind.USER, fault.kind());
            assertEquals(
                    "index_select: index 4 is out of bounds for dimension 0 with size 4"
                            + " (index_select(float32[4], int64[2]) -> float32[2]), on mock-A100",
                    PlainNames.in(fault.getMessage()));
            assertThrows(RemoteException.class, bad::toFloatArray);
            assertArrayEquals(new float[] {0, 2, 4, 6}, before.toFloatArray());
            assertArrayEquals(new float[] {1, 2, 3, 4}, after.toFloatArray());
        }
    }

    @Test
    void faultNamesTheSourceLine() {
        try (RemoteMachine machine = machine(new MachineOptions().traces(true))) {
            Tensor bad = machine.ones(3).indexSelect(0, machine.tensor(new long[] {7}));
            RemoteException fault = assertThrows(RemoteException.class, bad::item);
            assertTrue(fault.getMessage().contains("recorded at RemoteFaultsTest.java:"), fault.getMessage());
        }
    }

    @Test
    void anAllocationOverTheQuotaNamesWhatWasAskedAndWhatIsFree() {
        try (RemoteMachine machine = machine()) {
            Tensor small = machine.ones(16);
            Tensor half = machine.ones(1 << 17);
            Tensor large = half.add(small.sum());
            RemoteException fault = assertThrows(RemoteException.class, large::toFloatArray);
            assertEquals(FaultKind.RESOURCES, fault.kind());
            assertTrue(
                    fault.getMessage().startsWith("add: out of memory, requested 524288 bytes, free "),
                    fault.getMessage());
            assertTrue(fault.getMessage().contains("use scopes"), fault.getMessage());
            assertEquals(16.0, small.sum().itemDouble());
            assertEquals(1.0, half.get(Index.at(0)).itemDouble());
        }
    }

    @Test
    void aFutureFailsWithTheFault() {
        try (RemoteMachine machine = machine()) {
            Tensor bad = machine.ones(3).indexSelect(0, machine.tensor(new long[] {7}));
            CompletionException failure =
                    assertThrows(CompletionException.class, () -> bad.fetch().join());
            assertTrue(failure.getCause() instanceof RemoteException, failure.toString());
        }
    }

    @Test
    void aFailedUpdateNamesTheParametersThatWereLost() {
        try (RemoteMachine machine = machine()) {
            Tensor weight = machine.ones(3).named("0.weight");
            Tensor bias = machine.ones(3).named("0.bias");
            Tensor bad = machine.ones(3).indexSelect(0, machine.tensor(new long[] {0, 1, 7}));
            GradMode.noGrad(() -> {
                weight.add_(bad);
            });
            RemoteException fault = assertThrows(RemoteException.class, () -> weight.toFloatArray());
            assertTrue(fault.getMessage().contains("lost with it: 0.weight"), fault.getMessage());
            assertEquals(3.0, bias.sum().itemDouble());
        }
    }

    @Test
    void closeReportsUnreadFaults() {
        RemoteMachine machine = machine().awaitReady();
        machine.ones(3).indexSelect(0, machine.tensor(new long[] {7}));
        RemoteException unseen = assertThrows(RemoteException.class, machine::close);
        assertTrue(unseen.getMessage().startsWith("index_select: "), unseen.getMessage());
    }

    /** Only the machine knows whether the recorded work fails. */
    @Test
    void closeWaitsForAMachineThatHasNotAnsweredYetToReportTheLastOps() {
        MockProvider slow = new MockProvider(
                MockSettings.STANDARD.withNetwork(MockNetwork.PERFECT.withLatency(Duration.ofMillis(100))));
        RemoteMachine machine = RemoteMachine.of(slow, "A100", new MachineOptions().closeLimit(Await.GUARD));
        machine.ones(3).indexSelect(0, machine.tensor(new long[] {7}));
        Await.until("the machine is handed out", () -> machine.toString().contains("id mock-"));
        RemoteException unseen = assertThrows(RemoteException.class, machine::close);
        assertTrue(unseen.getMessage().startsWith("index_select: "), unseen.getMessage());
    }

    @Test
    void closeOfAGroupReportsTheLastOps() {
        MachineGroup group = MachineGroup.of("mock", "A100", 2, new MachineOptions().closeLimit(Await.GUARD));
        group.awaitReady();
        group.machine().ones(3).indexSelect(0, group.machine().tensor(new long[] {7}));
        RemoteException unseen = assertThrows(RemoteException.class, group::close);
        assertTrue(unseen.getMessage().startsWith("index_select: "), unseen.getMessage());
    }

    @Test
    void closeGivesUpAStartThatGoesOn() {
        MockProvider never = new MockProvider(MockSettings.STANDARD.withProvisioning(Duration.ofHours(1)));
        RemoteMachine machine = RemoteMachine.of(never, "A100", new MachineOptions().closeLimit(Duration.ofHours(1)));
        machine.ones(3);
        machine.close();
        assertEquals(0, never.machines().size());
    }

    @Test
    void aFailedStartSurfacesWhereTheProgramLooks() {
        MockProvider failing = new MockProvider(MockSettings.STANDARD.withFailure("no A100 is free"));
        RemoteMachine machine = RemoteMachine.of(failing, "A100", new MachineOptions());
        OutpostException failure = assertThrows(OutpostException.class, () -> {
            Tensor x = machine.ones(3);
            x.add(1).toFloatArray();
        });
        assertTrue(failure.getMessage().contains("no A100 is free"), failure.getMessage());
        machine.close();
    }

    @Test
    void aFailedStartThatNobodySawSurfacesAtClose() {
        MockProvider failing = new MockProvider(MockSettings.STANDARD.withFailure("no A100 is free"));
        RemoteMachine machine = RemoteMachine.of(failing, "A100", new MachineOptions());
        Await.until("the start has failed", () -> machine.provisioning().state() == Provisioning.State.FAILED);
        OutpostException failure = assertThrows(OutpostException.class, machine::close);
        assertTrue(failure.getMessage().contains("no A100 is free"), failure.getMessage());
    }

    @Test
    void operationsBeforeTheStartAreKept() {
        MockProvider slow = new MockProvider(MockSettings.STANDARD.withProvisioning(Duration.ofMillis(300)));
        try (RemoteMachine machine = RemoteMachine.of(slow, "A100", new MachineOptions())) {
            Tensor x = machine.tensor(new float[20_000]).add(1);
            assertEquals(20_000.0, x.sum().itemDouble());
        }
    }

    @Test
    void closingAMachineThatIsStillStartingIsQuiet() {
        MockProvider slow = new MockProvider(MockSettings.STANDARD.withProvisioning(Duration.ofSeconds(60)));
        for (int attempt = 0; attempt < 50; attempt++) {
            RemoteMachine machine = RemoteMachine.of(slow, "A100", new MachineOptions());
            machine.ones(3);
            machine.close();
        }
    }

    @Test
    void aKilledRuntimeLosesItsTensorsAndTheSuccessorTakesNewOnes() {
        MachineOptions options =
                new MachineOptions().onLoss(MachineLossPolicy.RESTART).lossTimeout(Duration.ZERO);
        try (RemoteMachine machine = machine(options)) {
            Tensor lost = machine.ones(3);
            assertEquals(3.0, lost.sum().itemDouble());
            provider.machines().getLast().killRuntime();
            MachineLostException loss = assertThrows(MachineLostException.class, () -> {
                for (int look = 0; look < 1000; look++) {
                    lost.add(1).toFloatArray();
                }
            });
            assertTrue(loss.getMessage().contains("the machine is lost"), loss.getMessage());
            Tensor fresh = machine.ones(4);
            assertEquals(4.0, fresh.sum().itemDouble());
            assertThrows(OutpostException.class, () -> lost.add(1));
            assertThrows(OutpostException.class, () -> fresh.add(lost));
        }
    }

    @Test
    void aLostMachineIsToldByItsLease() {
        try (RemoteMachine machine = machine(new MachineOptions().onLoss(MachineLossPolicy.RESTART))) {
            Tensor lost = machine.ones(3);
            assertEquals(3.0, lost.sum().itemDouble());
            provider.machines().getLast().lose("the node was preempted");
            assertThrows(MachineLostException.class, () -> lost.add(1).toFloatArray());
            assertEquals(4.0, machine.ones(4).sum().itemDouble());
        }
    }
}
