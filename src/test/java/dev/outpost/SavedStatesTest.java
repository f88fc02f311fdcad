package dev.outpost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.client.session.SavedState;
import dev.outpost.client.session.SessionRecorder;
import dev.outpost.support.tests.Await;
import dev.outpost.system.machines.HeldStores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** States that are saved while the program goes on. */
class SavedStatesTest {
    @TempDir
    Path folder;

    private RemoteMachine machine() {
        return RemoteMachine.of(
                "mock",
                "A100",
                new MachineOptions()
                        .option("sources", HeldStores.sources(folder))
                        .store(HeldStores.uri(folder)));
    }

    private Optional<CompletableFuture<SavedState>> save(RemoteMachine machine, long position) {
        return ((SessionRecorder) machine.recorder()).saveState(HeldStores.uri(folder), () -> position);
    }

    @Test
    void theProgramGoesOnAndALaterPauseUsesTheState() throws Exception {
        try (RemoteMachine machine = machine()) {
            Tensor large = machine.randn(1024, 1024);
            double sum = large.sum().itemDouble();
            HeldStores.hold(folder).begin(0);
            CompletableFuture<SavedState> answer = save(machine, 42).orElseThrow();
            Await.until("the state is being written", HeldStores.hold(folder)::isHolding);
            Tensor replaced = large.mul(2);
            double doubled = replaced.sum().itemDouble();
            large.close();
            assertTrue(save(machine, 43).isEmpty(), "one state at a time");
            assertFalse(answer.isDone());
            HeldStores.hold(folder).end();
            SavedState saved = answer.get();
            assertEquals(1, saved.number());
            assertEquals(42, saved.position());
            assertTrue(saved.bytes() > 4 << 20, saved::toString);
            SavedState second = save(machine, 44).orElseThrow().get();
            assertEquals(2, second.number());
            assertEquals(44, second.position());
            SavedState third = save(machine, 45).orElseThrow().get();
            assertTrue(third.bytes() < 1 << 20, () -> "only what has changed: " + third);
            machine.pause();
            assertEquals(doubled, replaced.mul(1).sum().itemDouble());
            assertTrue(sum != doubled);
        }
    }

    @Test
    void aPauseWaitsForTheState() throws Exception {
        try (RemoteMachine machine = machine();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Tensor x = machine.ones(10);
            machine.synchronize();
            HeldStores.hold(folder).begin(0);
            CompletableFuture<SavedState> answer = save(machine, 1).orElseThrow();
            Future<?> pause = threads.submit(machine::pause);
            Await.until("the state is being written", HeldStores.hold(folder)::isHolding);
            HeldStores.hold(folder).end();
            pause.get();
            assertEquals(1, answer.get().number());
            assertTrue(save(machine, 2).isEmpty(), "a paused machine has nothing to save");
            assertEquals(10.0, x.sum().itemDouble());
        }
    }

    @Test
    void aFailedStateChangesNothing() throws Exception {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.ones(10);
            assertEquals(10.0, x.sum().itemDouble());
            Path states = Files.writeString(folder.resolve("states"), "no folder");
            CompletableFuture<SavedState> answer = save(machine, 1).orElseThrow();
            ExecutionException refused = assertThrows(ExecutionException.class, answer::get);
            assertTrue(refused.getMessage().contains("the machine keeps"), refused::getMessage);
            Files.delete(states);
            assertEquals(2, save(machine, 2).orElseThrow().get().number());
            assertEquals(11.0, x.add(0.1).sum().itemDouble(), 1e-5);
        }
    }
}
