package dev.outpost.simulated.kubernetes;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.simulated.kubernetes.control.ControlLoop;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A defect of the simulation fails what waits for it, and the cluster throws it when it is closed. */
class DefectsTest {
    @Test
    void aPodFailsWhoseWorkerBroke() {
        TestCluster cluster = TestCluster.start();
        cluster.runWith(start -> {
            throw new AssertionError("no such engine");
        });
        SampleMachine machine = new SampleMachine(cluster.client());
        machine.start();
        Await.until(
                "the pod has failed",
                () -> machine.findPod()
                        .map(Pod::getStatus)
                        .filter(status -> "Failed".equals(status.getPhase()))
                        .filter(status -> status.getMessage().contains("no such engine"))
                        .isPresent());
        IllegalStateException broken = assertThrows(IllegalStateException.class, cluster::close);
        assertInstanceOf(AssertionError.class, broken.getCause());
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
        Await.until("it has broken", () -> hasBroken(loop));
    }

    private static <T> Optional<T> broken() {
        throw new StackOverflowError();
    }

    private static boolean hasBroken(ControlLoop loop) {
        try {
            loop.close();
            return false;
        } catch (IllegalStateException broken) {
            return broken.getCause() instanceof StackOverflowError;
        }
    }
}
