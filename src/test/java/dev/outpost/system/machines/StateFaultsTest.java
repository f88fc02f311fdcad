package dev.outpost.system.machines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.support.tests.Await;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pauses with stores that are slow or full, and machines that end while their state is written. */
class StateFaultsTest {
    @TempDir
    Path folder;

    private RemoteMachine machine(String idle) {
        return RemoteMachine.of(
                "mock",
                "A100",
                new MachineOptions()
                        .option("sources", HeldStores.sources(folder))
                        .option("idle", idle)
                        .store(HeldStores.uri(folder)));
    }

    @Test
    void theIdleLimitDoesNotEndAMachineWhoseStateIsBeingWritten() throws Exception {
        try (RemoteMachine machine = machine("100");
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Tensor x = machine.ones(10);
            machine.synchronize();
            HeldStores.hold(folder).begin(0);
            Future<?> pause = threads.submit(machine::pause);
            Await.until("the state is being written", HeldStores.hold(folder)::isHolding);
            Thread.sleep(500);
            assertFalse(pause.isDone());
            HeldStores.hold(folder).end();
            pause.get();
            assertEquals(10.0, x.sum().itemDouble());
        }
    }

    @Test
    void anIdleMachineIsPausedIfItHasAStore() {
        try (RemoteMachine machine = machine("100")) {
            Tensor x = machine.ones(10);
            assertEquals(10.0, x.sum().itemDouble());
            Await.until("the machine is paused", () -> machine.toString().contains("paused"));
            assertEquals(20.0, x.mul(2).sum().itemDouble());
        }
    }

    @Test
    void aFullDiskLosesNothing() throws Exception {
        Path small = Files.createDirectory(folder.resolve("small"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", small.toString()), "no right to mount a tmpfs");
        String store = "file:" + small;
        try (RemoteMachine machine = RemoteMachine.of(
                "mock", "A100", new MachineOptions().option("sources", store).store(store))) {
            Tensor large = machine.randn(1024, 1024);
            Tensor rest = machine.ones(10);
            double sum = large.sum().itemDouble();
            OutpostException refused = assertThrows(OutpostException.class, machine::pause);
            assertEquals(FaultKind.EXTERNAL, refused.kind());
            assertTrue(refused.getMessage().contains("No space left"), refused::getMessage);
            assertTrue(refused.getMessage().contains("the machine keeps"), refused::getMessage);
            assertEquals(sum, large.sum().itemDouble());
            large.close();
            machine.pause();
            assertEquals(10.0, rest.mul(1).sum().itemDouble());
        } finally {
            run("umount", small.toString());
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
