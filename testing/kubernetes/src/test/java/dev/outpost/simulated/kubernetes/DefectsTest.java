package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.simulated.kubernetes.control.ControlLoop;
import dev.outpost.simulated.kubernetes.node.RunningContainer;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A defect of the simulation fails pending waits, and the cluster throws it when it is closed. */
class DefectsTest {
    /** Runs the code on a cluster, whose close throws the defect. */
    private static void assertDefect(Consumer<TestCluster> steps) {
        IllegalStateException broken = assertThrows(IllegalStateException.class, () -> {
            try (TestCluster cluster = TestCluster.start()) {
                steps.accept(cluster);
            }
        });
        assertInstanceOf(AssertionError.class, broken.getCause());
    }

    private static void awaitFailure(SampleMachine machine, String message) {
        ClusterAwait.until(
                "the pod has failed",
                () -> machine.findPod()
                        .map(Pod::getStatus)
                        .filter(status -> "Failed".equals(status.getPhase()))
                        .filter(status -> status.getMessage().contains(message))
                        .isPresent());
    }

    @Test
    void aPodFailsWhoseWorkerBroke() {
        assertDefect(cluster -> {
            cluster.runWith(start -> {
                throw new AssertionError("no such engine");
            });
            SampleMachine machine = new SampleMachine(cluster.client());
            machine.start();
            awaitFailure(machine, "no such engine");
        });
    }

    @Test
    void aPodFailsWhoseWorkerBreaksWhenItEnds() {
        assertDefect(cluster -> {
            cluster.runWith(start -> new Unending());
            SampleMachine machine = new SampleMachine(cluster.client());
            machine.start();
            cluster.client().resource(machine.ready()).delete();
            awaitFailure(machine, "it does not end");
        });
    }

    /** A container that is ready at once, and breaks when it is asked to end. */
    private static final class Unending implements RunningContainer {
        private final CompletableFuture<Integer> exit = new CompletableFuture<>();

        @Override
        public CompletableFuture<Void> ready() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Integer> exit() {
            return exit;
        }

        @Override
        public void terminate() {
            throw new AssertionError("it does not end");
        }

        @Override
        public void kill() {
            exit.complete(137);
        }
    }

    @Test
    void aLoopThatBrokeIsTold() throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        ControlLoop loop = new ControlLoop("test-loop", () -> {
            began.countDown();
            return broken();
        });
        loop.start();
        began.await();
        ClusterAwait.until("it has broken", () -> hasBroken(loop));
    }

    private static <T> Optional<T> broken() {
        throw new StackOverflowError();
    }

    private static boolean hasBroken(ControlLoop loop) {
        try {
            loop.close();
            return false;
        } catch (IllegalStateException failure) {
            return failure.getCause() instanceof StackOverflowError;
        }
    }
}
