package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineLossPolicy;
import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.support.tests.Await;
import dev.outpost.support.tests.PlainNames;
import dev.outpost.types.MachineLostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Tests a runtime that dies without a message: its clients notice it within the lease, and continue with another one. */
class SuddenDeathTest {
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** More than the heap: the client counts every product, the machine keeps two. */
    private static final String QUOTA = Long.toString(4L << 30);

    @Test
    void aRuntimeThatIsKilledWhileItComputesIsLost() throws Exception {
        Await.withEnoughTime(LEASE, SuddenDeathTest::killWhileItComputes);
    }

    private static void killWhileItComputes(Duration lease) throws Exception {
        try (RuntimeProcess doomed = RuntimeProcess.start("--lease", lease.toMillis() + "ms", "--quota", QUOTA)) {
            ManagementClient management = ManagementClient.of(doomed);
            RunningMachineProvider runningMachineProvider = new RunningMachineProvider(
                    doomed.remote(), RuntimeProcess.shared().remote());
            try (RemoteMachine machine = RemoteMachine.of(runningMachineProvider, "any", restarting())) {
                machine.awaitReady();
                Tensor product = SampleComputations.products(machine, 2000);
                CompletableFuture<Object> look =
                        CompletableFuture.supplyAsync(() -> product.sum().item());
                Await.until("it computes", () -> management.stats().getLong("work.kernels") > 3 || look.isDone());
                assertFalse(look.isDone(), "before it is killed");

                doomed.kill();
                Throwable failure = assertThrows(
                                ExecutionException.class, () -> Await.result("the loss is noticed", look))
                        .getCause();

                assertEquals(MachineLostException.class, failure.getClass());
                assertTrue(
                        failure.getMessage().startsWith("endpoints-any: the machine is lost: "), failure::getMessage);
                assertThrows(MachineLostException.class, () -> product.add(1));
                assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            }
        }
    }

    @Test
    void aRuntimeThatIsStartedAgainDoesNotKnowItsSessions() {
        RuntimeProcess first = RuntimeProcess.start();
        RemoteMachine machine = RemoteMachine.connect(first.local(), restarting());
        Tensor lost = machine.ones(2, 3);
        machine.synchronize();
        first.kill();
        try (RuntimeProcess second =
                        RuntimeProcess.start("--socket", first.socket().toString());
                machine) {
            MachineLostException failure =
                    assertThrows(MachineLostException.class, () -> lost.sum().item());
            assertEquals(
                    "endpoint-any: the machine is lost: the machine does not know the session: "
                            + "it was restarted, or the lease ran out",
                    PlainNames.in(failure.getMessage()));
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            assertTrue(second.isAlive());
        }
        first.close();
    }

    private static MachineOptions restarting() {
        return new MachineOptions().onLoss(MachineLossPolicy.RESTART);
    }
}
