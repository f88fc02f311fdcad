package dev.outpost.system.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.MachineLossPolicy;
import dev.outpost.MachineOptions;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.MachineLoss;
import dev.outpost.provider.mock.MockMachine;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.support.tests.Await;
import dev.outpost.support.tests.PlainNames;
import dev.outpost.types.MachineLostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tests the messages about a lost machine, and the effect on the program that used it. */
@Tag("quick")
class MachineLossTest {
    private static final String PREEMPTED = "told-A100: the machine is lost: the node was preempted";
    private static final String UNKNOWN = "told-A100: the machine is lost: the machine does not know the session: "
            + "it was restarted, or the lease ran out";
    private static final Duration FOREVER = Duration.ofHours(1);

    private final MockProvider mock = new MockProvider(MockSettings.STANDARD);
    private final CompletableFuture<MachineLoss> word = new CompletableFuture<>();

    @Test
    void newTensorsAreRefusedUnlessAnotherMachineIsWanted() {
        try (RemoteMachine machine = watched(new MachineOptions())) {
            Tensor lost = used(machine);
            word.complete(MachineLoss.failed("the node was preempted"));
            assertLost(PREEMPTED, () -> askUntilLost(lost));
            assertLost(
                    PREEMPTED + "; MachineOptions.onLoss(MachineLossPolicy.RESTART) would start another",
                    () -> machine.ones(4));
            assertLost(PREEMPTED, machine::synchronize);
            assertLost(PREEMPTED, machine::awaitReady);
            assertLost(PREEMPTED, () -> lost.add(1));
        }
    }

    @Test
    void theFirstNewTensorStartsAnotherMachineWhereThatIsWanted() {
        try (RemoteMachine machine = RemoteMachine.of(mock, "A100", restarting())) {
            Tensor lost = used(machine);
            mock.machines().getFirst().lose("the node was preempted");
            assertLost("mock-A100: the machine is lost: the node was preempted", () -> askUntilLost(lost));
            assertEquals(4.0, machine.ones(4).sum().itemDouble());
            assertThrows(MachineLostException.class, () -> lost.add(1));
        }
    }

    /** Ids, handles and programs survive; values and the machine's cached data do not. */
    @Test
    void recordedWorkOutlivesTheMachine() {
        try (RemoteMachine machine = RemoteMachine.of(mock, "A100", restarting())) {
            Program plain = machine.program(in -> List.of(in.getFirst().mul(2)));
            Program withConstant =
                    machine.program(in -> List.of(in.getFirst().add(machine.tensor(new float[] {1, 2, 3}))));
            Tensor lost = used(machine);
            assertEquals(6.0, plain.call(lost).getFirst().sum().itemDouble());
            assertEquals(9.0, withConstant.call(lost).getFirst().sum().itemDouble());
            mock.machines().getFirst().lose("the node was preempted");
            assertLost("mock-A100: the machine is lost: the node was preempted", () -> askUntilLost(lost));
            Tensor fresh = machine.ones(3);
            assertEquals(6.0, plain.call(fresh).getFirst().sum().itemDouble());
            assertEquals(1, plain.traces());
            assertEquals(9.0, withConstant.call(fresh).getFirst().sum().itemDouble());
            assertEquals(2, withConstant.traces(), "its constant went with the machine");
            assertLost("mock-A100: the machine is lost: the node was preempted", () -> fresh.add(lost));
            assertLost("mock-A100: the machine is lost: the node was preempted", () -> plain.call(lost));
            assertLost("mock-A100: the machine is lost: the node was preempted", lost::toFloatArray);
            assertEquals(3.0, fresh.sum().itemDouble());
        }
    }

    @Test
    void valuesOfALostMachineCountNoMore() {
        try (RemoteMachine machine = RemoteMachine.of(mock, "A100", restarting())) {
            Tensor lost = used(machine);
            mock.machines().getFirst().lose("the node was preempted");
            assertLost("mock-A100: the machine is lost: the node was preempted", () -> askUntilLost(lost));
            try (Tensor fresh = machine.ones(3)) {
                fresh.toFloatArray();
                assertEquals(1, machine.heldValues());
                lost.close();
                assertEquals(1, machine.heldValues());
            }
            assertEquals(0, machine.heldValues());
        }
    }

    @Test
    void aLossThatNobodySawSurfacesAtClose() {
        RemoteMachine machine = watched(new MachineOptions());
        used(machine);
        word.complete(MachineLoss.failed("the node was preempted"));
        assertLost(PREEMPTED, machine::close);
    }

    /** A program that continues after a pause gets another machine, without any other effect. */
    @Test
    void aMachineThatEndedForWantOfUseIsReplaced() throws Exception {
        Await.withEnoughTime(Duration.ofMillis(50), MachineLossTest::replaceAnIdleMachine);
    }

    private static void replaceAnIdleMachine(Duration idle) {
        MockProvider provider = new MockProvider(MockSettings.STANDARD.withIdle(idle));
        RemoteMachine machine = RemoteMachine.of(provider, "A100", new MachineOptions());
        Tensor lost = used(machine);
        assertLost("mock-A100: the machine is lost: no instruction arrived for " + idle.toMillis() + " ms", () -> {
            while (true) {
                machine.synchronize();
            }
        });
        assertThrows(MachineLostException.class, () -> lost.sum().item());
        assertEquals(4.0, machine.ones(4).sum().itemDouble());
        machine.close();
        assertEquals(0, provider.machines().size());
    }

    @Test
    void anAgreedEndIsNoNewsAtClose() {
        RemoteMachine machine = watched(new MachineOptions());
        used(machine);
        word.complete(new MachineLoss(MachineLoss.Cause.IDLE, "no instruction arrived for 10 min"));
        machine.close();
    }

    @Test
    void theProviderIsAskedWhyTheMachineIsGone() {
        try (RemoteMachine machine = watched(new MachineOptions().lossTimeout(FOREVER))) {
            Tensor lost = used(machine);
            killAndLetItBeNoticed();
            word.complete(MachineLoss.failed("the node was preempted"));
            assertLost(PREEMPTED, () -> askUntilLost(lost));
        }
    }

    @Test
    void whereTheProviderHasNothingToSayTheConnectionsWordsStand() {
        try (RemoteMachine machine = watched(new MachineOptions().lossTimeout(Duration.ofMillis(50)))) {
            Tensor lost = used(machine);
            mock.machines().getFirst().killRuntime();
            assertLost(UNKNOWN, () -> askUntilLost(lost));
        }
    }

    @Test
    void providerWithoutAWatchIsNotAwaited() {
        MachineOptions patient = new MachineOptions().lossTimeout(FOREVER);
        try (RemoteMachine machine = RemoteMachine.of(new ToldProvider(mock, false, word), "A100", patient)) {
            Tensor lost = used(machine);
            mock.machines().getFirst().killRuntime();
            assertLost(UNKNOWN, () -> askUntilLost(lost));
        }
    }

    @Test
    void aMachineThatNeverAnsweredIsExplainedToo() {
        MockProvider unreachable = new MockProvider(MockSettings.STANDARD.withProvisioning(Duration.ofMillis(50)));
        word.complete(MachineLoss.failed("the pod was killed for want of memory"));
        RemoteMachine machine =
                RemoteMachine.of(new ToldProvider(unreachable, true, word), "A100", new MachineOptions());
        assertLost("told-A100: the machine is lost: the pod was killed for want of memory", machine::awaitReady);
        machine.close();
    }

    @Test
    void negativeTimeoutIsRefused() {
        var refused = assertThrows(
                IllegalArgumentException.class, () -> new MachineOptions().lossTimeout(Duration.ofSeconds(-1)));
        assertEquals("lossTimeout: expected nothing negative, got PT-1S", refused.getMessage());
    }

    private RemoteMachine watched(MachineOptions options) {
        return RemoteMachine.of(new ToldProvider(mock, true, word), "A100", options);
    }

    private static MachineOptions restarting() {
        return new MachineOptions().onLoss(MachineLossPolicy.RESTART);
    }

    private static Tensor used(RemoteMachine machine) {
        Tensor tensor = machine.ones(3);
        assertEquals(3.0, tensor.sum().itemDouble());
        return tensor;
    }

    /** The client reconnects, and is told that its session is unknown: hello, end. */
    private void killAndLetItBeNoticed() {
        MockMachine machine = mock.machines().getFirst();
        long before = machine.framesFromMachine();
        machine.killRuntime();
        Await.until("the client is told", () -> machine.framesFromMachine() > before);
    }

    /** The message about it may still be on its way. */
    private static void askUntilLost(Tensor tensor) {
        while (true) {
            tensor.sum().item();
        }
    }

    private static void assertLost(String message, Executable look) {
        assertEquals(
                message,
                PlainNames.in(assertThrows(MachineLostException.class, look).getMessage()));
    }
}
