package dev.outpost.system.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.provider.GpuType;
import dev.outpost.provider.MachineKeeper;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.MachineSummary;
import dev.outpost.support.tests.Await;
import dev.outpost.types.MachineLostException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests killed runtimes, clients and starters: losses have reasons, and no running process is ever lost track of. */
class ProcessDeathTest {
    private static final Duration TIMEOUT = Await.GUARD;

    @TempDir
    Path folder;

    private ProcessHost host;

    @BeforeEach
    void chooseAFolder() {
        host = new ProcessHost(folder.resolve("machines"));
    }

    @Test
    void aRuntimeThatIsKilledIsLostWithAReason() {
        String reason = lossAfter("KILL");
        assertTrue(reason.contains(" ended without a report: it was killed, by kill -9 or by the kernel"), reason);
    }

    @Test
    void aRuntimeThatCrashesIsLostWithTheWordsOfItsJvm() {
        String reason = lossAfter("SEGV");
        assertTrue(reason.contains("its JVM crashed: SIGSEGV (0xb) at pc="), reason);
    }

    /** The message for a reader of the lost value, and the one in the list of machines. */
    private String lossAfter(String signal) {
        try (RemoteMachine machine = RemoteMachine.of(host.provider(), "any", new MachineOptions())) {
            Tensor lost = machine.ones(2, 3);
            assertEquals(6.0, lost.sum().itemDouble());
            String id = host.onlyMachine();
            signal(host.process(id), signal);
            // A crashing process may still send answers until it is gone.
            MachineLostException loss = assertThrows(MachineLostException.class, () -> {
                while (true) {
                    lost.add(1).sum().itemDouble();
                }
            });
            MachineSummary listed = list(host.keeper()).getFirst();
            String reason = listed.state().substring("ended: ".length());
            assertTrue(loss.getMessage().endsWith(reason), () -> loss.getMessage() + " against " + reason);
            assertFalse(host.keeper()
                    .logs(id, true)
                    .collect()
                    .asList()
                    .await()
                    .atMost(TIMEOUT)
                    .isEmpty());
            return reason;
        }
    }

    private static void signal(ProcessHandle process, String signal) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static List<MachineSummary> list(MachineKeeper keeper) {
        return keeper.list().await().atMost(TIMEOUT);
    }

    @Test
    void aMachineWhoseClientIsKilledEndsWithItsLease() throws Exception {
        Await.withEnoughTime(Duration.ofSeconds(2), this::killAClient);
    }

    private void killAClient(Duration lease) {
        host = new ProcessHost(folder.resolve("machines-" + lease.toSeconds()));
        try (StarterProcess client = StarterProcess.client(host, "lease", lease.toSeconds() + "s")) {
            client.awaitLine("ready");
            String id = host.onlyMachine();
            ProcessHandle process = host.process(id);
            client.kill();
            assertTrue(process.isAlive());
            Await.until("it ends", () -> !process.isAlive());
            assertEquals(
                    "ended: no client has sent anything for " + lease.toSeconds() + " s",
                    list(host.keeper()).getFirst().state());
            host.keeper().sweep().await().atMost(TIMEOUT);
            assertEquals(List.of(), list(host.keeper()));
        }
    }

    @Test
    void aMachineWhoseStarterIsKilledIsFoundAndEndedByAnother() {
        try (StarterProcess starter = StarterProcess.keeper(host)) {
            starter.awaitLine("STARTING");
            starter.kill();
            String id = host.onlyMachine();
            try (RemoteMachine machine = RemoteMachine.attach(host.provider(), id, new MachineOptions())) {
                assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
            }
            ProcessHandle process = host.process(id);
            host.keeper().stop(id).await().atMost(TIMEOUT);
            Await.until("it has ended", () -> !process.isAlive());
            assertEquals(List.of(), list(host.keeper()));
        }
    }

    @Test
    void aMachineOfAStatedLifeEndsByItself() {
        MachineKeeper keeper = host.keeper();
        String id = keeper.start(MachineSpec.of(GpuType.ANY), Duration.ofMillis(500), step -> {})
                .await()
                .atMost(TIMEOUT);
        ProcessHandle process = host.process(id);
        Await.until("it ends", () -> !process.isAlive());
        assertEquals("ended: its life of 0.5s was over", list(keeper).getFirst().state());
    }

    @Test
    void anInterruptAtTheTerminalDoesNotReachTheMachine() {
        MachineKeeper keeper = host.keeper();
        String id = keeper.start(MachineSpec.of(GpuType.ANY), Duration.ofMinutes(5), step -> {})
                .await()
                .atMost(TIMEOUT);
        signal(host.process(id), "INT");
        signal(host.process(id), "HUP");
        try (RemoteMachine machine = RemoteMachine.attach(host.provider(), id, new MachineOptions())) {
            assertEquals(6.0, machine.ones(2, 3).sum().itemDouble());
        }
        assertTrue(host.process(id).isAlive());
        keeper.stop(id).await().atMost(TIMEOUT);
    }
}
