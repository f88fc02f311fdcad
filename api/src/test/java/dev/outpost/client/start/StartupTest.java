package dev.outpost.client.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.provider.Endpoint;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineLoss;
import dev.outpost.support.tests.Await;
import dev.outpost.types.OutpostException;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class StartupTest {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CompletableFuture<Lease> connected = new CompletableFuture<>();
    private final CompletableFuture<OutpostException> failure = new CompletableFuture<>();

    @Test
    void aMachineIsConnectedToAndGivenBack() throws Exception {
        PaperLease lease = new PaperLease();
        Startup startup = startup(progress -> Uni.createFrom().item(lease));
        startup.begin();
        assertEquals(lease, Await.result("the machine is connected to", connected));
        assertFalse(lease.released.isDone());
        startup.closeEarly();
        assertTrue(lease.released.isDone());
    }

    /** The provider ignores an interrupt, and returns a machine after the start was cancelled. */
    @Test
    void aMachineThatComesTooLateIsGivenBack() throws Exception {
        PaperLease lease = new PaperLease();
        Startup startup = startup(progress -> Uni.createFrom().item(() -> {
            asked.countDown();
            awaitTheGate();
            return lease;
        }));
        startup.begin();
        asked.await();
        startup.cancel();
        gate.countDown();
        Await.result("the machine is given back", lease.released);
        assertFalse(connected.isDone());
    }

    @Test
    void pendingStartIsCancelled() throws Exception {
        CompletableFuture<Void> cancelled = new CompletableFuture<>();
        Startup startup = startup(
                progress -> Uni.createFrom().<Lease>nothing().onCancellation().invoke(() -> cancelled.complete(null)));
        startup.begin();
        startup.closeEarly();
        assertTrue(cancelled.isDone(), "whoever lets go waits until it is done");
        assertEquals(
                "paper: starting the machine was cancelled",
                Await.result("the failure is reported", failure).getMessage());
    }

    @Test
    void failureOfAProviderIsReported() throws Exception {
        startup(progress -> Uni.createFrom().failure(new IOException("no A100 is free")))
                .begin();
        assertEquals(
                "paper: the machine did not start: no A100 is free",
                Await.result("the failure is reported", failure).getMessage());
    }

    @Test
    void aProviderThatIsBrokenIsTold() throws Exception {
        startup(progress -> {
                    throw new NoClassDefFoundError("io/fabric8/Client");
                })
                .begin();
        assertEquals(
                "paper: the machine did not start: io/fabric8/Client",
                Await.result("the failure is reported", failure).getMessage());
    }

    @Test
    void secondReleaseWaitsForTheFirst() throws Exception {
        PaperLease lease = new PaperLease(() -> {
            asked.countDown();
            awaitTheGate();
        });
        Startup startup = startup(progress -> Uni.createFrom().item(lease));
        startup.begin();
        Await.result("the machine is connected to", connected);
        Thread first = Thread.ofVirtual().start(startup::release);
        asked.await();
        Thread second = Thread.ofVirtual().start(startup::release);
        Await.until("the second release waits", () -> second.getState() == Thread.State.WAITING);
        gate.countDown();
        first.join();
        second.join();
        assertTrue(lease.released.isDone());
    }

    private Startup startup(MachineSource source) {
        StartProgress progress = new StartProgress(step -> {}, System::nanoTime);
        return new Startup("paper", source, progress, connected::complete, failure::complete);
    }

    /** An interrupt takes effect only once the gate is open. */
    private void awaitTheGate() {
        boolean interrupted = false;
        while (gate.getCount() > 0) {
            interrupted |= Thread.interrupted();
            Thread.onSpinWait();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class PaperLease implements Lease {
        final CompletableFuture<Void> released = new CompletableFuture<>();
        private final Runnable onRelease;

        PaperLease() {
            this(() -> {});
        }

        PaperLease(Runnable onRelease) {
            this.onRelease = onRelease;
        }

        @Override
        public String id() {
            return "paper-1";
        }

        @Override
        public Endpoint endpoint() {
            throw new IllegalStateException("a machine of paper has none");
        }

        @Override
        public Uni<MachineLoss> lost() {
            return Uni.createFrom().nothing();
        }

        /** Answers on another thread, as over a network. */
        @Override
        public Uni<Void> release() {
            return Uni.createFrom()
                    .completionStage(() -> CompletableFuture.runAsync(() -> {
                        onRelease.run();
                        released.complete(null);
                    }));
        }
    }
}
